import type { Protocol } from '../../../spec/index.js';
import type { Resolve } from '../../expect/index.js';
import type { Keeps, PlannedCheck, Sandboxed, Value } from '../plan/index.js';
import { type Known, knownOf, type Received, received } from './answer.js';
import { failIfGranted, judge, untested } from './judges.js';
import type { CheckResult, ClockReading, Ended, Pm } from './pm.js';

/** A clock may count in whole seconds. */
const toleranceMs = 1000;

/** What the scripts of the collection call: `before` and `after` a request. `variables` are those that Postman must be told. */
export function library(pm: Pm, protocol: Protocol, variables: readonly string[], resolve: Resolve) {
  const read = <Kept>(name: string): Kept | undefined => {
    const text = pm.collectionVariables.get(`hydrauth_${name}`);
    return text ? (JSON.parse(text) as Kept) : undefined;
  };
  const keep = (name: string, value?: unknown) =>
    pm.collectionVariables.set(`hydrauth_${name}`, value === undefined ? '' : JSON.stringify(value));
  const known = (id: string | undefined) => (id === undefined ? undefined : read<Known>(id));
  const taken = (value: Value, part: 'nonce' | 'token') =>
    'madeUp' in value ? value.madeUp : changed(known(value.of)?.[part] ?? '', value.changed);
  const leave = (checks: readonly PlannedCheck[], reason: string) => {
    for (const check of checks)
      tell(pm, check, () => {
        failIfGranted(known(check.refusal));
        untested(reason);
      });
  };
  return {
    /** Before the request: sets what it carries, or skips it, with every test on it, when something it needs did not come about. */
    before(row: Sandboxed): void {
      const { id, nonce, token, credentials, needs, checks } = row;
      keep(id);
      pm.variables.set('hydrauth_row', JSON.stringify(row));
      pm.variables.set('base_url', String(pm.variables.get('base_url') || '').replace(/\/+$/, ''));
      const unset = variables.find((name) => !pm.variables.get(name));
      const missing = needs.find(({ of, keeps }) => !(keeps === undefined ? pm.variables.get(of) : came(known(of), keeps, protocol)));
      if (unset !== undefined || missing !== undefined) {
        leave(checks, missing === undefined || unset !== undefined ? `the variable ${unset} is not set` : missing.reason);
        pm.execution.skipRequest();
        return;
      }
      if (nonce !== undefined) pm.variables.set('hydrauth_nonce', taken(nonce, 'nonce'));
      if (token !== undefined) pm.variables.set('hydrauth_token', taken(token, 'token'));
      const user = `${pm.variables.get('user_id')}${credentials === 'of nobody' ? '7919' : ''}`;
      const paraphrase = `${pm.variables.get('paraphrase')}${credentials === 'wrong' ? 'x' : ''}`;
      pm.variables.set('hydrauth_credentials', Buffer.from(`${user}:${paraphrase}`, 'utf8').toString('base64'));
    },
    /** After the request: keeps what came, and judges it. Without an answer nothing is judged. */
    after(): void {
      const row = JSON.parse(pm.variables.get('hydrauth_row') || '{"checks":[]}') as Sandboxed;
      const got = received(pm, protocol, read<string>('resource') ?? '');
      if (got.answer.status === 0) {
        leave(row.checks, 'no answer came');
        return;
      }
      const moved = row.keeps === 'clock' && isMoved(got, row.advanceMs);
      keep(row.id, knownOf(got, moved));
      if (row.keeps === 'resource' && got.served) keep('resource', got.text.slice(0, 20000));
      const clock = () => read<ClockReading>('clock') as ClockReading;
      for (const check of row.checks) tell(pm, check, () => judge({ pm, protocol, got, row, check, known, clock, resolve }));
    },
  };

  /** Reads the clock, which had to move so far since it was read before. */
  function isMoved({ isSuccess, value }: Received, advancedMs: number | undefined): boolean {
    const nowMs = Date.parse(String((value as { now?: unknown } | null | undefined)?.now));
    const before = read<ClockReading>('clock');
    const beganMs = advancedMs === undefined ? nowMs : (before?.beganMs ?? nowMs);
    keep('clock', { beganMs, nowMs, readMs: Date.now() });
    return isSuccess && (advancedMs === undefined ? nowMs > 0 : nowMs - (before?.nowMs ?? Number.NaN) > advancedMs - toleranceMs);
  }
}

/** Whether a request brought about what later ones build on. */
function came(known: Known | undefined, keeps: Keeps, { challenge }: Protocol): boolean {
  if (known === undefined) return false;
  if (keeps === 'challenge') return known.given === undefined;
  if (keeps === 'guarded') return known.status === challenge.status;
  if (keeps === 'clock') return known.moved;
  if (keeps === 'nonce' || keeps === 'token') return known[keeps] !== '';
  return keeps === 'refusal' || known.served;
}

function changed(value: string, how: 'almost' | 'cut' | 'longer' | undefined): string {
  if (how === undefined) return value;
  if (how === 'longer') return value + value.slice(-1);
  const cut = value.slice(0, -1);
  if (how === 'cut') return cut;
  // With another character at its end, one that the value has elsewhere where it has several.
  const last = value.slice(-1).toLowerCase();
  const other = [...value].find((each) => /[a-z0-9]/i.test(each) && each.toLowerCase() !== last);
  return cut + (other ?? (last === '0' ? '1' : '0'));
}

/** Runs a check and shows how it ended, as a test of Postman and as fields in a variable. */
function tell(pm: Pm, { id, name }: PlannedCheck, run: () => void): void {
  let ended: Ended = { outcome: 'pass' };
  try {
    run();
  } catch (thrown) {
    // A mistake in a check breaks the script, which says so.
    if ((thrown as Partial<Ended>).outcome === undefined) throw thrown;
    ended = thrown as Ended;
  }
  const results = JSON.parse(pm.variables.get('hydrauth_results') || '[]') as CheckResult[];
  pm.variables.set('hydrauth_results', JSON.stringify([...results, { check: id, ...ended }]));
  if (ended.outcome === 'untested') pm.test.skip(`${name} [untested: ${ended.reason}]`);
  else
    pm.test(name, () => {
      if (ended.outcome === 'fail') throw new Error(`expected ${ended.expected}; got ${ended.actual}`);
    });
}
