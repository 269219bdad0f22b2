import { type Spec, SpecError, specFiles } from '../../spec/index.js';
import type { Clock } from './clock.js';
import type { HeaderLine } from './parts.js';

const formats: readonly ((date: Date) => string)[] = [
  (date) => date.toUTCString(),
  (date) => date.toISOString(),
  (date) => date.toISOString().replace(/\.\d+Z$/, 'Z'),
  (date) => date.toISOString().slice(0, 10),
  (date) => String(Math.floor(date.getTime() / 1000)),
];

/** The date line of an answer, on the server's clock, in the first format that the spec's pattern accepts. */
export function dateLine(spec: Spec, clock: Clock): () => HeaderLine {
  const { datePattern, headers } = spec.protocol;
  const format = formats.find((each) => datePattern.test(each(new Date(clock.now()))));
  if (format === undefined)
    throw new SpecError(
      specFiles.openapi,
      '/components/headers/Date/schema/pattern',
      `no date can be written in the shape ${datePattern.source}; that of RFC 9110, of ISO 8601 or seconds are expected`,
    );
  let [atSecond, line]: [number, HeaderLine] = [Number.NaN, [headers.date, '']];
  return () => {
    const second = Math.floor(clock.now() / 1000);
    if (second !== atSecond) [atSecond, line] = [second, [headers.date, format(new Date(second * 1000))]];
    return line;
  };
}
