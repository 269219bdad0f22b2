import { durationWords, type Protocol } from '../../spec/index.js';
import { errorMessage, httpStatus } from '../http.js';
import type { Found } from '../parts/index.js';
import type { Condition, Presented, Rule, Step } from './exchange.js';
import type { SwitchedOn } from './recorder.js';

/** What an answer rests on: what the guard found, and what is known of the things that it looked at. */
export interface Facts {
  readonly protocol: Protocol;
  readonly atMs: number;
  readonly tokens: 'on' | 'off';
  readonly found: Found;
  readonly presented: Presented;
  readonly nonceEndsAtMs: number | undefined;
  /** The exchange that spent the nonce, where it is known. */
  readonly spentBy: number | undefined;
}

/** A condition, and what is wrong when it does not hold. */
type Looked = Condition & { readonly otherwise: string };

type Row = readonly [rule: Rule, condition: string, held: boolean, requirements: string, otherwise: string, detail?: string | undefined];

/** Rules 1 to 4 as conditions, in the order in which the guard looks: it stops where one does not hold, or all of a rule do. */
export function conditionsOf(facts: Facts): readonly Looked[] {
  const { open } = facts.found;
  if (open === 'preflight')
    return [looked([1, 'It is no CORS preflight', false, 'protection.preflight', 'a CORS preflight is not protected'])];
  if (open === 'off') return [looked([1, 'Authentication is switched on', false, 'off.served', 'authentication is switched off'])];
  const all = [looked([1, 'Authentication is switched on', true, 'protection.collections protection.methods', ''])];
  for (const rows of [tokenRows(facts), exchangeRows(facts)]) {
    const failure = rows.findIndex(([, , held]) => !held);
    all.push(...rows.slice(0, failure < 0 ? rows.length : failure + 1).map(looked));
    if (failure < 0) return all;
  }
  const challenge = 'challenge.status challenge.nonce challenge.www-authenticate challenge.body';
  return [
    ...all,
    looked([2, 'It has neither a valid token nor a valid nonce with right credentials, so it is challenged', true, challenge, '']),
  ];
}

function tokenRows({ protocol, atMs, presented: { token, tokenExpiresAtMs: endMs } }: Facts): readonly Row[] {
  const span = endMs === undefined ? undefined : spanWords(Math.abs(endMs - atMs));
  const ended = endMs === atMs ? 'ends at this moment' : `ended ${span ?? 'some time'} before`;
  const [id, detail] = token === 'expired' ? ['expiry.refused-after', `it ${ended}`] : ['expiry.valid-until', `${span} left`];
  const isBrought = token !== 'none' && token !== 'issued';
  return [
    [4, `It carries a token in ${protocol.headers.token}`, isBrought, 'token.sufficient', 'it carries no token'],
    [4, 'The token was issued here', token !== 'unknown', 'token.unknown-refused', 'the token is unknown'],
    [4, 'The token has not expired', token !== 'expired', id, `the token ${ended}`, span === undefined ? undefined : detail],
  ];
}

function exchangeRows({ protocol, atMs, presented: { nonce, credentials }, nonceEndsAtMs: endMs, spentBy }: Facts): readonly Row[] {
  const { headers, challenge } = protocol;
  const wellFormed = `The credentials are well-formed ${challenge.scheme} credentials`;
  const spender = spentBy === undefined ? '' : ` by exchange ${spentBy}`;
  const spent = spender === '' ? undefined : `it was spent${spender}`;
  const ended = endMs !== undefined && atMs >= endMs ? `${spanWords(atMs - endMs)} before` : 'before its time';
  const wrong = credentials === 'unchecked' ? 'the credentials were not checked' : 'the paraphrase is wrong';
  const over = nonce === 'expired' ? `it ended ${ended}` : undefined;
  return [
    [3, `It carries a nonce in ${headers.nonce}`, nonce !== 'none', 'exchange.nonce-needed', 'it carries no nonce'],
    [3, 'The nonce was issued here', nonce !== 'unknown', 'exchange.wrong-nonce-refused', 'the nonce is unknown'],
    [3, 'The nonce has not been spent', nonce !== 'spent', 'challenge.nonce-single-use', `the nonce was spent${spender}`, spent],
    [3, 'The nonce has not expired', nonce !== 'expired', 'challenge.nonce-lifetime', 'the nonce has expired', over],
    [
      3,
      `It carries credentials in ${headers.authorization}`,
      credentials !== 'none',
      'exchange.credentials-needed',
      'it carries no credentials',
    ],
    [3, wellFormed, credentials !== 'malformed', 'exchange.malformed-credentials-refused', 'the credentials are malformed'],
    [3, 'The id is that of a user', credentials !== 'unknown id', 'exchange.unknown-user-refused', 'nobody has this id'],
    [3, 'The paraphrase is that of the user', credentials === 'right', 'exchange.wrong-paraphrase-refused', wrong],
  ];
}

function looked([rule, condition, held, requirements, otherwise, detail]: Row): Looked {
  return { condition, held, ...(detail === undefined ? {} : { detail }), rule, requirements: requirements.split(' '), otherwise };
}

/** Below a second in milliseconds, otherwise in whole seconds and larger. */
function spanWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : durationWords(Math.floor(ms / 1000) * 1000);
}

interface Given {
  readonly step: Step;
  readonly status: number;
  readonly on: SwitchedOn;
}

/** Why it was answered so, in a sentence: by the rule, by trouble on demand, or by what was switched on. */
export function reasonOf(facts: Facts, because: readonly Looked[], { step, status, on }: Given): string {
  const trouble = on.trouble === undefined ? '' : `Trouble on demand: ${on.trouble.sentence}. `;
  const rule = because.at(-1)?.rule;
  if (rule === undefined) return trouble.trimEnd();
  if (status >= 500) return `${trouble}${errorMessage(status)}.`;
  if (askedFor(facts, rule) === step) return `${trouble}${wordsOf(facts, because, rule, status)}`;
  const switched = [...on.faults.map((id) => `the fault ${id}`), ...on.variants.map((id) => `the variant ${id}`)].join(' and ');
  const by = switched === '' ? 'A changed part' : `T${switched.slice(1)}`;
  return `${trouble}${by} answered otherwise. By rule ${rule}: ${wordsOf(facts, because, rule)}`;
}

function askedFor({ presented, tokens }: Facts, rule: Rule): Step {
  if (rule === 4) return 'C';
  if (rule === 3) return tokens === 'on' ? 'B' : 'other';
  if (rule === 1) return 'other';
  return isEmpty(presented) ? 'A' : 'refused';
}

function wordsOf({ presented, tokens }: Facts, because: readonly Looked[], rule: Rule, status: number = httpStatus.ok): string {
  const whose = presented.user === undefined ? '' : ` of user ${presented.user}`;
  const failures = because.filter(({ held }) => !held);
  if (rule === 1) return `Not protected: ${failures[0]?.otherwise}.`;
  const served = status < 300 ? 'Served' : `Let in${status < 400 ? '' : `, but ${lowerFirst(errorMessage(status))}`}`;
  if (rule === 3) return `${tokens === 'on' ? 'A token is given' : served}: nonce and credentials${whose} are good.`;
  if (rule === 4) {
    const left = because.at(-1)?.detail;
    return `${served}: the token${whose} is valid${left === undefined ? '' : `, ${left}`}.`;
  }
  if (isEmpty(presented)) return 'Challenged: it carries neither a token nor a nonce with credentials.';
  // What was not brought at all matters only beside its other half.
  const isMeant = (failure: Looked) =>
    failure.rule === 4 ? presented.token !== 'none' : presented.nonce !== 'none' || presented.credentials !== 'none';
  const said = failures.filter(isMeant).map(({ otherwise }) => otherwise);
  return `Refused: ${said.join(', and ')}.`;
}

function isEmpty({ nonce, credentials, token }: Presented): boolean {
  return nonce === 'none' && credentials === 'none' && token === 'none';
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
