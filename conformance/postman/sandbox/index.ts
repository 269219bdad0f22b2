import type { Protocol, Spec } from '../../../spec/index.js';
import { compareScript } from './compare.js';
import { judgeScript } from './judge.js';
import { stepsScript } from './steps.js';
import { verdictScript } from './verdict.js';

/** What Postman must be told; the optional clock is not among them. */
export const targetVariables = ['base_url', 'collection', 'user_id', 'paraphrase'] as const;

/**
 * The script before every request of the collection. It puts one function on a bare global, which Postman and Newman keep for the later scripts
 * of the request; those hand it their own `pm`, because the one seen here belongs to this script alone.
 */
export function libraryScript(spec: Spec): string {
  return `hydrauth = function (pm) {
  const protocol = ${JSON.stringify(injected(spec.protocol), null, 2).replaceAll('\n', '\n  ')};
  const url = require('url');
  const pattern = ({ source, flags }) => new RegExp(source, flags);
  const base = () => String(pm.variables.get('base_url')).replace(/\\/+$/, '');
  const credentials = (id, paraphrase) => Buffer.from(id + ':' + paraphrase, 'utf8').toString('base64');
  const user = () => [String(pm.variables.get('user_id')), String(pm.variables.get('paraphrase'))];
${compareScript}
${verdictScript}
${judgeScript}
${stepsScript}
${faces}
};
pm.variables.set('base_url', String(pm.variables.get('base_url') || '').replace(/\\/+$/, ''));
pm.variables.set('hydrauth_credentials', hydrauth(pm).credentials(...hydrauth(pm).user()));`;
}

const faces = `
  return {
    protocol, get, set, check, arrange, answered, headers, parsed, hasStatus, hasBody, isKeyedByStatus, asksForCredentials,
    onChallenge, hasNonce, nonceShaped, keepNonce, anotherNonce, keepChallenge, challengedToo, remember, refused,
    onExchange, exchanged, hasToken, tokenShaped, anotherToken, keepToken, served, isServed, onServed, success, status,
    refusedHere, unlike, almost, keepClock, withinLifetime, expiresAtAll, fail, untested, patience, text, credentials, user,
  };`;

function injected(protocol: Protocol): object {
  return {
    ...protocol,
    challenge: { ...protocol.challenge, noncePattern: regular(protocol.challenge.noncePattern) },
    exchange: { ...protocol.exchange, tokenPattern: regular(protocol.exchange.tokenPattern) },
    datePattern: regular(protocol.datePattern),
    errorKeyPattern: regular(protocol.errorKeyPattern),
    variables: targetVariables,
    // Of HTTP, not of this protocol (RFC 9110, section 15.5; RFC 6585, section 4).
    firstError: 400,
    forbidden: 403,
    tooMany: 429,
  };
}

function regular({ source, flags }: RegExp): object {
  return { source, flags };
}
