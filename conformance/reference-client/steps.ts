import type { KnownProtocol } from './options.js';

/** What the steps need of an answer. */
export interface StepAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** How a dead token is refused is not shown. What comes with a nonce and one of these, or as a challenge, is taken for it. */
const otherRefusals: readonly number[] = [403, 419];
/** The nonce may end between challenge and exchange; more than one second try would be guessing. */
const exchangesOfALogin = 2;

/** Whether the service refuses the token, or asks for one. */
export function isRefusal({ status, headers: given }: StepAnswer, hasToken: boolean, { headers, challenge }: KnownProtocol): boolean {
  const isChallenge = status === challenge.status;
  return given.get(headers.nonce) === null ? isChallenge && hasToken : isChallenge || otherRefusals.includes(status);
}

/** Step B with the nonce of a challenge: gives the token, or the status of the answer that brought none. */
export async function exchange(
  challenged: string,
  credentials: string,
  { headers, challenge }: KnownProtocol,
  ask: (more: Record<string, string>) => Promise<StepAnswer>,
): Promise<string | number> {
  let nonce = challenged;
  for (let exchanges = 1; ; exchanges += 1) {
    const { status, headers: given } = await ask({ [headers.nonce]: nonce, [headers.authorization]: `${challenge.scheme} ${credentials}` });
    const [token, next] = [given.get(headers.token), given.get(headers.nonce)];
    if (status >= 200 && status < 300 && token !== null) return token;
    if (status !== challenge.status || next === null || exchanges === exchangesOfALogin) return status;
    nonce = next;
  }
}
