import type { Protocol } from '../../../spec/index.js';
import type { Resolve } from '../../expect/index.js';
import { received } from './answer.js';
import { clockChecks } from './clock.js';
import { headerChecks } from './headers.js';
import type { Memory, Pm } from './pm.js';
import { failIfGranted, refusalChecks } from './refusals.js';
import { stepChecks } from './steps.js';
import { check, untested } from './verdict.js';

interface Arrangement {
  readonly tests: readonly { readonly name: string; readonly refusal?: string }[];
  /** State that must have come about, each with the reason to give when it did not. */
  readonly needs: Readonly<Record<string, string>>;
  readonly forgets: readonly string[];
}

/** Everything the scripts of the collection call, as `h`. `variables` are those that Postman must be told. */
export function library(pm: Pm, protocol: Protocol, variables: readonly string[], resolve: Resolve) {
  const memory: Memory = {
    get: (name) => pm.collectionVariables.get(`hydrauth_${name}`) ?? '',
    set: (name, value) => pm.collectionVariables.set(`hydrauth_${name}`, value ?? ''),
  };
  const got = received(pm, protocol);
  const leave = (tests: Arrangement['tests'], reason: string) => {
    for (const { name, refusal } of tests)
      check(pm, name, () => {
        if (refusal !== undefined) failIfGranted(memory, refusal);
        untested(reason);
      });
  };
  return {
    ...memory,
    ...got,
    ...stepChecks(protocol, got, memory),
    ...refusalChecks(pm, protocol, got, memory),
    ...clockChecks(protocol, got, memory),
    headers: headerChecks(pm, protocol, got, resolve),
    protocol,
    check: (name: string, judge: () => void) => check(pm, name, judge),
    /** Before the request: skips it, with every test on it, when something it needs did not come about. */
    arrange: ({ tests, needs, forgets }: Arrangement): boolean => {
      for (const name of forgets) memory.set(name, '');
      pm.variables.set('hydrauth_tests', JSON.stringify(tests));
      const unset = variables.find((name) => !pm.variables.get(name));
      const missing = Object.keys(needs).find((name) => !(name === 'clock_url' ? pm.variables.get(name) : memory.get(name)));
      if (unset === undefined && missing === undefined) return true;
      leave(tests, unset === undefined ? (needs[missing ?? ''] ?? '') : `the variable ${unset} is not set`);
      pm.execution.skipRequest();
      return false;
    },
    /** After the request: without an answer nothing is judged. */
    answered: (): boolean => {
      if (got.answer.status > 0) return true;
      leave(JSON.parse(pm.variables.get('hydrauth_tests') || '[]') as Arrangement['tests'], 'no answer came');
      return false;
    },
    user: () => [String(pm.variables.get('user_id')), String(pm.variables.get('paraphrase'))],
    credentials: (id: string, paraphrase: string) => Buffer.from(`${id}:${paraphrase}`, 'utf8').toString('base64'),
    /** With another character at its end, one that the value has elsewhere where it has several. */
    almost: (value: string) => {
      const last = value.slice(-1).toLowerCase();
      const other = [...value].find((each) => /[a-z0-9]/i.test(each) && each.toLowerCase() !== last);
      return value.slice(0, -1) + (other ?? (last === '0' ? '1' : '0'));
    },
  };
}
