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

/** What an option allows, in words, whether a value is that, and of a list whether a member is. The type of the value is there for TypeScript alone. */
export type OptionCheck<Value = unknown> = readonly [allowed: string, isAllowed: IsAllowed, isMember?: IsAllowed] & {
  readonly type?: Value;
};
type IsAllowed = (value: unknown) => boolean;

/** A check for every option there is. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };

/** The options that these checks are for, and which of them are needed. */
export type OptionsOf<Checks, Needed extends keyof Checks = never> = {
  readonly [Name in keyof Checks]?: ValueOf<Checks[Name]>;
} & { readonly [Name in Needed]: ValueOf<Checks[Name]> };
type ValueOf<Check> = Check extends OptionCheck<infer Value> ? Value : never;

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

/** The members that have a value, for spreading into an object. */
export function present<Members extends object>(members: Members): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** Whether something is an address that begins like this. */
export const isUrl = (value: unknown, scheme: RegExp): boolean => typeof value === 'string' && scheme.test(value) && URL.canParse(value);

/** Whether a text is an http or https address without user, query and fragment. */
export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** The checks that options have in common. */
export const allow = {
  /** What is checked where it is read. */
  anything: <Value = unknown>(): OptionCheck<Value> => ['anything', () => true],
  trueOrFalse: ['true or false', (value) => typeof value === 'boolean'] as OptionCheck<boolean>,
  /** What else there is. */
  what: <Value>(allowed: string, isAllowed: IsAllowed): OptionCheck<Value> => [allowed, isAllowed],
  oneOf: <Value extends string>(...values: Value[]): OptionCheck<Value> => [
    values.join(' or '),
    (value) => values.includes(value as Value),
  ],
  whole: (from: number, to: number): OptionCheck<number> => [
    to === Number.MAX_SAFE_INTEGER ? `a whole number of ${from} or more` : `a whole number from ${from} to ${to}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
  ],
  text: (allowed: string, pattern = /^/): OptionCheck<string> => [allowed, (value) => typeof value === 'string' && pattern.test(value)],
  listOf: <Value>(allowed: string, [, isAllowed]: OptionCheck<Value>): OptionCheck<readonly Value[]> => [
    allowed,
    (value) => Array.isArray(value) && value.every((each) => isAllowed(each)),
    isAllowed,
  ],
};
