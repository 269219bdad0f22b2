import type { Protocol } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import { isGranted, type Oracle } from '../oracle/index.js';
import { isClockMove } from '../wire/index.js';

const maybeLocked = 'logins were refused after wrong attempts; the server may have locked our address, which the protocol allows';

/** A failure that rests on the refusal of a login says nothing where the refusal may be due to what is open. */
export function unlessExcused(finding: Finding, excuseOf: ReturnType<Oracle['excuses']>, protocol: Protocol): Finding {
  const last = finding.chain?.at(-1);
  if (finding.outcome !== 'fail' || last === undefined || isClockMove(last) || isGranted(last, protocol)) return finding;
  const { requirement, check, engine } = finding;
  const excuse = excuseOf(last);
  if (excuse === 'locked') return { requirement, check, engine, outcome: 'untested', through: 'target', message: maybeLocked };
  // Where nothing was beside it, nothing displaced its nonce.
  if (excuse === 'displaced' && finding.doubt === 'beside others')
    return { requirement, check, engine, outcome: 'pass', restsOn: 'what was tried alone' };
  return finding;
}
