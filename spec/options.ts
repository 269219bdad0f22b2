/** An option that is unknown or has a value that is not allowed. Names the option and what is allowed. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly code = 'HYDRAUTH_OPTION';

  constructor(
    readonly option: string,
    problem: string,
  ) {
    super(`${option}: ${problem}`);
  }
}

/** What an option allows, in words, whether a value is that, and of a list whether a member is. */
export type OptionCheck = readonly [allowed: string, isAllowed: IsAllowed, isMember?: IsAllowed];
type IsAllowed = (value: unknown) => boolean;

/** A check for every option there is. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };

/** Throws for an option that is unknown or not allowed. An option that is undefined counts as not given. */
export function checkOptions<Options extends object>(options: Options, checks: OptionChecks<Options>): void {
  const all: Readonly<Record<string, OptionCheck>> = checks;
  if (typeof options !== 'object' || options === null)
    throw new OptionError('options', `${JSON.stringify(options)} is not allowed; an object with ${Object.keys(all).join(', ')} is`);
  for (const [name, value] of Object.entries(options)) {
    const [allowed, isAllowed, isMember = () => true] = (Object.hasOwn(all, name) ? all[name] : undefined) ?? [];
    if (isAllowed === undefined) throw new OptionError(name, `there is no such option; allowed are ${Object.keys(all).join(', ')}`);
    if (value === undefined || isAllowed(value)) continue;
    const [wrong = value] = Array.isArray(value) ? value.filter((each) => !isMember(each)) : [];
    throw new OptionError(name, `${shown(wrong, name)} is not allowed; ${allowed} is`);
  }
}

/** Options whose values hold paraphrases or the key of a gateway, or could by mistake. */
const secret: ReadonlySet<string> = new Set(['users', 'paraphrase', 'headers', 'passEnv']);

/** A value of an object or a function could be long, and could hold a secret, as the user in an address does. */
function shown(value: unknown, name: string): string {
  if (typeof value !== 'object' && typeof value !== 'function' && !secret.has(name))
    return JSON.stringify(value)?.replace(/\/\/[^/]*@/, '//');
  return `a value of type ${Array.isArray(value) ? 'list' : typeof value}`;
}

/** The checks that options have in common. */
export const allow = {
  anything: ['anything', () => true] as OptionCheck,
  trueOrFalse: ['true or false', (value) => typeof value === 'boolean'] as OptionCheck,
  oneOf: (...values: string[]): OptionCheck => [values.join(' or '), (value) => values.includes(value as string)],
  whole: (from: number, to: number): OptionCheck => [
    to === Number.MAX_SAFE_INTEGER ? `a whole number of ${from} or more` : `a whole number from ${from} to ${to}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
  ],
  text: (allowed: string, pattern = /^/): OptionCheck => [allowed, (value) => typeof value === 'string' && pattern.test(value)],
  listOf: (allowed: string, [, isAllowed]: OptionCheck): OptionCheck => [
    allowed,
    (value) => Array.isArray(value) && value.every((each) => isAllowed(each)),
    isAllowed,
  ],
};
