const units = /** @type {const} */ ([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]);

/**
 * A duration in its two largest units: "44 min 59 s", "1 d", "250 ms".
 *
 * @param {number} ms
 */
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
  if (whole < 10_000 && left > 0) return `${whole / 1000} s`;
  return words.join(' ');
}

const named = /(\d+(?:\.\d+)?)\s*(ms|s|sec|seconds?|min|m|minutes?|h|hours?|d|days?)(?=[\s\d]|$)/gi;
const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/**
 * Milliseconds of what a person types: "90 s", "1h 30min", "PT45M"; a bare number is minutes. Undefined when it is none of these.
 *
 * @param {string} typed
 */
export function readDuration(typed) {
  const text = typed.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 60_000);
  const parts = iso.exec(text);
  if (parts !== null && text.length > 2) {
    const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
    return Math.round((days ?? 0) * 86_400_000 + (hours ?? 0) * 3_600_000 + (minutes ?? 0) * 60_000 + (seconds ?? 0) * 1000);
  }
  let ms = 0;
  const rest = text.replace(named, (_, count, unit) => {
    ms += Number(count) * unitMs(unit.toLowerCase());
    return '';
  });
  return text === '' || rest.trim() !== '' ? undefined : Math.round(ms);
}

/** @param {string} unit */
function unitMs(unit) {
  if (unit === 'ms') return 1;
  const found = units.find(([short]) => unit.startsWith(short === 'min' ? 'm' : short));
  return found?.[1] ?? 0;
}
