import type { Protocol } from '../../../spec/index.js';
import type { Received } from './answer.js';
import type { Memory, Pm } from './pm.js';
import { fail, untested } from './verdict.js';

/** What came of a request that had to be refused; kept until its accepted control is answered. */
type Refusal = { readonly granted: boolean; readonly saw: string; readonly slowedDown: boolean };

export function keptRefusal({ get }: Memory, name: string): Refusal | undefined {
  return get(name) === '' ? undefined : (JSON.parse(get(name)) as Refusal);
}

/** What was granted although it had to be refused is told as a failure, whatever became of the accepted control. */
export function failIfGranted(memory: Memory, name: string): void {
  const seen = keptRefusal(memory, name);
  if (seen?.granted) fail('a refusal, no token and no resource', seen.saw);
}

export function refusalChecks(pm: Pm, protocol: Protocol, got: Received, memory: Memory) {
  const { answer, status } = got;
  const granted = () => got.granted(memory.get('resource'));
  return {
    remember: (name: string) =>
      memory.set(name, JSON.stringify({ granted: granted() !== '', saw: granted() || status(), slowedDown: got.slowedDown() })),
    refused: (name: string, accepted: () => boolean) => {
      failIfGranted(memory, name);
      const seen = keptRefusal(memory, name) ?? untested('the request to be refused was not sent, or got no answer');
      if (seen.slowedDown) untested(`the target asked to slow down, ${seen.saw}`);
      if (!accepted()) untested(`the accepted control was not accepted but got ${status()}`);
    },
    /** Rule 1: challenged like the first read of the collection. */
    challengedToo: () => {
      got.patience();
      const whole = memory.get('challenged') === 'whole';
      // A success without a body may be a challenge with the wrong status.
      if (!whole && pm.request.method === 'HEAD')
        untested('a challenge that is not as it must be cannot be told without its body, see challenge.status');
      if (granted() !== '') fail('the challenge', granted());
      if (!whole) untested('the challenge itself is not as it must be, see challenge.status and challenge.nonce');
      if (answer.status !== protocol.challenge.status) fail(`the challenge, status ${protocol.challenge.status}`, status());
    },
  };
}
