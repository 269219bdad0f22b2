import type { WireProblem, WireProblemCode } from './exchange.js';
import { fromTarget } from './from-target.js';

/** A problem on the wire, on its way up to the exchange that it belongs to. */
export class WireFault extends Error {
  override readonly name = 'WireFault';

  constructor(
    readonly code: WireProblemCode,
    message: string,
  ) {
    super(message);
  }

  get problem(): WireProblem {
    return { code: this.code, message: this.message };
  }
}

/** A piece of what the target sent, printable, for use in a sentence. */
export function quoted(text: string): string {
  return fromTarget(JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029]/g, unicodeEscape));
}

export const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The phase in which a connection was when it failed. */
export type Phase = 'connecting' | 'securing' | 'exchanging';

export function describeSocketError(error: NodeJS.ErrnoException, phase: Phase, host: string): WireProblem {
  const code = error.code ?? '';
  if (phase === 'connecting') {
    const sentence = connectSentences[code]?.(host) ?? `No connection to ${host}: ${code || error.message}.`;
    return { code: 'unreachable', message: sentence };
  }
  if (phase === 'securing' && code !== 'ECONNRESET' && code !== 'EPIPE') {
    return { code: 'certificate', message: `TLS with ${host} failed: ${tlsSentence(error)}.` };
  }
  return {
    code: 'closed',
    message: code === 'ECONNRESET' ? 'The target reset the connection.' : `The connection broke: ${code || error.message}.`,
  };
}

const connectSentences: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `Nothing listens at ${host}: the connection was refused.`,
  ENOTFOUND: (host) => `The host ${host} is unknown.`,
  EAI_AGAIN: (host) => `The host ${host} could not be looked up.`,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no route to ${host}.`,
  ETIMEDOUT: (host) => `No connection to ${host} came about in time.`,
};

function tlsSentence(error: NodeJS.ErrnoException): string {
  if (error.code === 'EPROTO' || error.code?.startsWith('ERR_SSL') === true)
    return `the two sides did not agree on TLS (${error.code}); a port without TLS is written http://`;
  return `the certificate does not verify (${error.message.replace(/\.$/, '')}); trust it with --ca FILE, or do not verify it with --insecure`;
}
