import type { Looking } from './conditions.js';
import type { Presented, Rule, Step } from './exchange.js';
import type { Noted } from './recorder.js';

interface Decided {
  readonly presented: Presented;
  readonly because: readonly Looking[];
  readonly rule: Rule;
  readonly step: Step;
  readonly tokens: 'on' | 'off';
}

/** Why it was answered so, in a sentence; where the answer is not what the rule asks for, what was switched on. */
export function reasonOf({ on, answer }: Noted, decided: Decided): string {
  const { step, rule } = decided;
  // "404 Served" would contradict itself.
  const words = wordsOf(decided, step === 'C' && answer.status >= 300 ? 'Let in' : 'Served');
  if (askedFor(decided) === step || answer.status >= 500) return words;
  const switched = [...on.faults.map((id) => `the fault ${id}`), ...on.variants.map((id) => `the variant ${id}`)].join(' and ');
  return `${switched === '' ? 'A changed part' : `T${switched.slice(1)}`} answered otherwise. By rule ${rule}: ${words}`;
}

function askedFor({ rule, presented, tokens }: Decided): Step {
  if (rule === 4) return 'C';
  if (rule === 3) return tokens === 'on' ? 'B' : 'other';
  if (rule === 1) return 'other';
  return isEmpty(presented) ? 'A' : 'refused';
}

function wordsOf({ rule, presented, because, tokens }: Decided, served: 'Served' | 'Let in'): string {
  const whose = presented.user === undefined ? '' : ` of user ${presented.user}`;
  const failures = because.filter(({ held }) => !held);
  if (rule === 1) return `Not protected: ${failures[0]?.otherwise}.`;
  if (rule === 3) return `${tokens === 'on' ? 'A token is given' : 'Served'}: nonce and credentials${whose} are good.`;
  if (rule === 4) {
    const left = because.at(-1)?.detail;
    return `${served}: the token${whose} is valid${left === undefined ? '' : `, ${left}`}.`;
  }
  if (isEmpty(presented)) return 'Challenged: it carries neither a token nor a nonce with credentials.';
  // What was not brought at all matters only beside its other half.
  const isMeant = (failure: Looking) =>
    failure.rule === 4 ? presented.token !== 'none' : presented.nonce !== 'none' || presented.credentials !== 'none';
  const said = failures.filter(isMeant).map(({ otherwise }) => otherwise);
  return `Refused: ${said.join(', and ')}.`;
}

function isEmpty({ nonce, credentials, token }: Presented): boolean {
  return nonce === 'none' && credentials === 'none' && token === 'none';
}
