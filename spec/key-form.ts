const threeDigits = /(?:\[(?:1-5|4-5|45|0-9)\]|\\d)(?:(?:\[0-9\]|\\d)(?:\{2\}|\[0-9\]|\\d)|\{3\})/;

/** The form of a key that a pattern describes, with a star where three digits stand for the status; undefined where it is more than that. */
export function keyFormOf(pattern: string): string | undefined {
  const inner = /^\^(.*)\$$/s.exec(pattern)?.[1]?.replace(threeDigits, '*');
  if (inner === undefined || /(?<!\\)[[\](){}|?+.^$]|\\[a-z]/i.test(inner)) return undefined;
  const form = inner.replace(/\\(.)/g, '$1');
  return new RegExp(pattern, 'u').test(keyOf(form, 404)) ? form : undefined;
}

function keyOf(form: string, status: number): string {
  return form.replace('*', String(status));
}
