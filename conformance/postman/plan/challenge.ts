import type { Protocol } from '../../../spec/index.js';
import { anyOrigin, everywhere, origin } from './everywhere.js';
import { type PlannedFolder, request } from './request.js';

export function challengeFolder(protocol: Protocol): PlannedFolder {
  const { challenge, headers } = protocol;
  const [member] = Object.entries(challenge.body).map(([key, message]) => `"${key}": "${message}"`);
  return {
    id: 'challenge',
    name: 'Step A: challenge',
    about: 'A read without credentials is challenged, each time with a new nonce.',
    requests: [
      request({
        id: 'challenge.first',
        name: 'A1 Read the collection without credentials',
        shows: 'The challenge, whole.',
        sets: ['challenged', 'first_nonce'],
        keep: 'h.keepChallenge();',
        checks: [
          { requirement: 'challenge.status', what: `answers ${challenge.status}`, code: 'h.hasStatus(h.protocol.challenge.status)' },
          {
            requirement: 'challenge.www-authenticate',
            what: `asks for ${challenge.scheme} credentials in the realm "${challenge.realm}"`,
            code: 'h.onChallenge(h.asksForCredentials)',
          },
          { requirement: 'challenge.nonce', what: `carries a nonce in ${headers.nonce}`, code: 'h.onChallenge(h.hasNonce)' },
          { requirement: 'challenge.nonce-shape', what: 'the nonce has the shape of a UUID', code: 'h.onChallenge(h.nonceShaped)' },
          {
            requirement: 'challenge.body',
            what: `the body has the one member ${member}`,
            code: 'h.onChallenge(() => h.hasBody(h.protocol.challenge.body))',
          },
          ...everywhere(protocol, 'the challenge', 'onChallenge'),
        ],
      }),
      request({
        id: 'challenge.second',
        name: 'A2 Read it again, naming an origin',
        shows: 'A second challenge has a nonce of its own, and an Origin makes no difference.',
        headers: origin,
        sets: ['nonce'],
        keep: "h.keepNonce('nonce');",
        checks: [
          {
            requirement: 'challenge.nonce-newly-issued',
            what: 'the second nonce is another one',
            also: ['challenge.first'],
            code: 'h.anotherNonce()',
          },
          anyOrigin(protocol, 'the challenge', 'onChallenge'),
        ],
      }),
    ],
  };
}
