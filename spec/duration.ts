/** So many of something, in words. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  // What puts commas between thousands takes 20 ms to load.
  return `${number < 1000 ? number : number.toLocaleString('en')} ${number === 1 ? singular : plural}`;
}

const duration = /^P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds of an ISO 8601 duration in days, hours, minutes and seconds; undefined when it is none or empty. */
export function durationMs(text: string): number | undefined {
  const parts = duration.exec(text);
  if (parts === null || text === 'P') return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A duration in words: "45 minutes", "45 minutes and 1 second", "1 hour". */
export function durationWords(ms: number): string {
  const parts: string[] = [];
  let left = ms;
  for (const [unit, size] of units) {
    const whole = Math.floor(left / size);
    left -= whole * size;
    if (whole > 0) parts.push(count(whole, unit));
  }
  if (left > 0 || parts.length === 0) parts.push(`${left} ms`);
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter((part) => part !== '').join(' and ');
}
