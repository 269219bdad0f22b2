/** What a comparison came to. */
export type Judgement = { readonly ok: true } | { readonly ok: false; readonly expected: string; readonly actual: string };

export const good: Judgement = { ok: true };

export function bad(expected: string, actual: string): Judgement {
  return { ok: false, expected, actual };
}

/** The lines of a header as they came, for a sentence. */
export function shown(name: string, values: readonly string[]): string {
  if (values.length === 0) return `no ${name} header`;
  return values.map((value) => `${name}: ${value.length > 300 ? `${value.slice(0, 300)}…` : value}`).join('\n');
}
