/** @import { Exchange, LiveFacts, Presented, Switch, Trouble } from './types.js' */

/** Each with its length, and as people write it. */
const units = /** @type {const} */ ([
  ['d', 86_400_000, /^d(ays?)?$/],
  ['h', 3_600_000, /^h(ours?)?$/],
  ['min', 60_000, /^m(in|inutes?)?$/],
  ['s', 1000, /^s(ec|econds?)?$/],
  ['ms', 1, /^ms$/],
]);

/** A duration in its two largest units: "44 min 59 s", "1 d", "250 ms". @param {number} ms */
export function durationWords(ms) {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole} ms`;
  const at = units.findIndex(([, size]) => whole >= size);
  let left = whole;
  const words = [];
  for (const [unit, size] of units.slice(at, Math.min(at + 2, 4))) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) words.push(`${count} ${unit}`);
  }
  return whole < 10_000 && left > 0 ? `${whole / 1000} s` : words.join(' ');
}

/**
 * Milliseconds of what a person types: "90 s", "1h 30min", "PT45M"; a bare number is minutes. Undefined when it is none of these.
 * @param {string} typed
 */
export function readDuration(typed) {
  const text = typed.trim().toLowerCase();
  const [, days = '', rest = ''] = /^p(\d+d)?(?:t(.+))?$/.exec(text) ?? [undefined, '', /^\d+(\.\d+)?$/.test(text) ? `${text}m` : text];
  const parts = [...`${days}${rest}`.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== `${days}${rest}`) return undefined;
  const sizes = parts.map(([, count, name = '']) => Number(count) * (units.find(([, , written]) => written.test(name))?.[1] ?? Number.NaN));
  const ms = sizes.reduce((sum, size) => sum + size);
  return Number.isNaN(ms) ? undefined : Math.round(ms);
}

export const timeWords = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(11, 23);
export const instantWords = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
/** How long an answer took; the server measures whole milliseconds. */
export const tookWords = (/** @type {number} */ ms) => (ms < 1 ? '<1 ms' : durationWords(ms));

/** What a step is called, what its sign is, and how it is coloured. The legend in live.html says the same. */
const looks = {
  A: { name: 'Step A, challenge', sign: 'A', tone: 'plain' },
  B: { name: 'Step B, exchange', sign: 'B', tone: 'login' },
  C: { name: 'Step C, token use', sign: 'C', tone: 'pass' },
  refused: { name: 'Refused', sign: '✗', tone: 'fail' },
  other: { name: 'None of the three steps', sign: '·', tone: 'plain' },
};

/** @param {Exchange} exchange */
export function lookOf({ step, status, trouble }) {
  if (trouble !== undefined) return { name: `${looks[step].name}, in trouble`, sign: '!', tone: 'warn' };
  return step === 'C' && status >= 400 ? { ...looks.C, tone: 'warn' } : looks[step];
}

/** The status, where it came to the client. @param {Exchange} exchange */
export function statusWords({ status, trouble }) {
  return trouble?.connection === 'hang' || trouble?.connection === 'reset' ? 'no answer' : String(status);
}

/** How many requests something is for, and which. @param {Switch | Trouble} each */
export function leftWords({ left, method, path, step, state, user }) {
  const which = [method, path, step && `step ${step}`, state && `with ${state}`, user !== undefined && `of user ${user}`].filter(Boolean);
  const count = left === undefined ? 'all' : left === 1 ? 'next' : `next ${left}`;
  return which.length === 0 ? count : `${count}: ${which.join(' ')}`;
}

/** What a request brought, in a few words: "nonce 7, Basic of user 1". @param {Presented} presented @param {LiveFacts} facts */
export function broughtWords({ nonce, nonceNumber, credentials, token, tokenNumber, user }, { protocol }) {
  const words = [];
  if (token !== 'none' && token !== 'issued') words.push(tokenNumber === undefined ? `${token} token` : `token ${tokenNumber}`);
  if (nonce !== 'none') words.push(nonceNumber === undefined ? `${nonce} nonce` : `nonce ${nonceNumber}`);
  if (credentials === 'malformed') words.push(`malformed ${protocol.headers.authorization}`);
  else if (credentials !== 'none') words.push(`${protocol.scheme}${user === undefined ? '' : ` of user ${user}`}`);
  return words.join(', ');
}

/** @type {WeakMap<Exchange, string>} */
const searched = new WeakMap();

/** What a search looks at, in small letters. @param {Exchange} exchange @param {LiveFacts} facts */
export function searchText(exchange, facts) {
  const known = searched.get(exchange);
  if (known !== undefined) return known;
  const { number, method, target, status, step, reason, connection, presented, faults, variants } = exchange;
  const marks = [`#${number}`, `status:${status}`, `step:${step}`, `connection:${connection}`, `token:${presented.tokenNumber ?? 'none'}`];
  const failed = exchange.because.filter(({ held }) => !held).flatMap(({ requirements }) => requirements);
  const states = [`nonce ${presented.nonce}`, `credentials ${presented.credentials}`, `token ${presented.token}`];
  const all = [method, target, reason, broughtWords(presented, facts), ...marks, ...states, ...faults, ...variants, ...failed];
  const text = all.join(' ').toLowerCase();
  searched.set(exchange, text);
  return text;
}

/** Whether all words that somebody typed are in a text of small letters. @param {string} typed */
export function matcher(typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return { isAll: words.length === 0, fits: (/** @type {string} */ text) => words.every((word) => text.includes(word)) };
}
