import type { Role, Subject } from '../subject/index.js';
import type { Exchange } from '../wire/exchange.js';

const mostOctets = 8192;

/**
 * All that laws about answers look at, as one text: two answers of the same likeness are judged alike, and most answers of a run are
 * like one before. Of nonces and tokens in their proper shape only the shape counts; who remembers values looks at every answer.
 * Undefined when the answer is to be judged in any case.
 */
export function likenessOf({ request, answer, problem }: Exchange, role: Role, { facts, protocol }: Subject): string | undefined {
  if (answer === undefined || answer.body.length > mostOctets || (facts.challenge === undefined && !facts.off)) return undefined;
  let text = `${role} ${request.method} ${request.target} ${answer.status} ${problem?.message ?? ''}`;
  for (const [name, value] of answer.headers) text += `\n${name}:${isFresh(name, value, protocol) ? '' : value}`;
  return `${text}\n\n${answer.body.toString('latin1')}`;
}

function isFresh(name: string, value: string, { headers, challenge, exchange }: Subject['protocol']): boolean {
  if (name === headers.nonce) return challenge.noncePattern.test(value);
  return name === headers.token && exchange.tokenPattern.test(value);
}
