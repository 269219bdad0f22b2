const units = /** @type {const} */ ([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]);

/** A duration in its two largest units: "44 min 59 s", "1 d", "250 ms". @param {number} ms */
export function durationWords(ms) {
  const whole = Math.max(0, Math.round(ms));
  const at = units.findIndex(([, size]) => whole >= size);
  if (at < 0) return `${whole} ms`;
  let left = whole;
  const words = [];
  for (const [unit, size] of units.slice(at, at + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) words.push(`${count} ${unit}`);
  }
  return whole < 10_000 && left > 0 ? `${whole / 1000} s` : words.join(' ');
}

/** @type {Record<string, number>} */
const unitMs = Object.fromEntries([
  ['ms', 1],
  ...['s', 'sec', 'second', 'seconds'].map((name) => [name, 1000]),
  ...['m', 'min', 'minute', 'minutes'].map((name) => [name, 60_000]),
  ...['h', 'hour', 'hours'].map((name) => [name, 3_600_000]),
  ...['d', 'day', 'days'].map((name) => [name, 86_400_000]),
]);

/**
 * Milliseconds of what a person types: "90 s", "1h 30min", "PT45M"; a bare number is minutes. Undefined when it is none of these.
 * @param {string} typed
 */
export function readDuration(typed) {
  const text = typed.trim().toLowerCase();
  const [, days = '', rest = ''] = /^p(\d+d)?(?:t(.+))?$/.exec(text) ?? [undefined, '', /^\d+(\.\d+)?$/.test(text) ? `${text}m` : text];
  const parts = [...`${days}${rest}`.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== `${days}${rest}`) return undefined;
  const ms = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? Number.NaN), 0);
  return Number.isNaN(ms) ? undefined : Math.round(ms);
}

/** @param {number} ms */
export function timeWords(ms) {
  return new Date(ms).toISOString().slice(11, 23);
}

/** @param {number} ms */
export function instantWords(ms) {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** How long an answer took; the server measures whole milliseconds. @param {number} ms */
export function tookWords(ms) {
  return ms < 1 ? '<1 ms' : durationWords(ms);
}
