import { parseArgs } from 'node:util';
import { didYouMean } from '../../spec/nearest.js';
import type { Option, Place } from '../option-table.js';
import type { Io } from './io.js';

/** A command: the data to parse its call and to write its help, and its code, which is loaded when it runs. */
export interface Command {
  readonly name: Place;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it does, in a few sentences, for its own help. */
  readonly text?: string;
  readonly positionals: readonly Positional[];
  /** What the words behind `--` are, where they are not arguments like the others. */
  readonly behind?: string;
  readonly options: readonly Option[];
  /** Calls, each with what it does. */
  readonly examples: Readonly<Record<string, string>>;
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Gives the exit code, throws a CallError when the call is wrong. */
  readonly run: (args: Args, io: Io) => Promise<number>;
}

/** The same without what every command has by itself. */
export type CommandData = Omit<Command, 'name' | 'options' | 'positionals'> & Partial<Pick<Command, 'positionals'>>;

export interface Positional extends Pick<Option, 'name' | 'text' | 'optional' | 'many' | 'allowed'> {
  /** What it looks like, so that it is recognised among the values of an option that takes several. */
  readonly like?: RegExp;
}

/** The call is wrong: exit code 2. The message names what is wrong and what is allowed. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code = 'HYDRAUTH_CALL';
}

/** Options that every command has. */
export const everywhere: readonly Option[] = [
  { name: 'help', text: 'Show this help.' },
  { name: 'version', text: 'Show the version.' },
];

/** What a call gives: the values of its options by name, its arguments, and the words behind `--`, where the command keeps them apart. */
type Call = Readonly<Record<'positionals' | 'behind', readonly string[]>> & { readonly values: ReadonlyMap<string, readonly string[]> };

/** Reads the words after a command's name. `--help` and `--version` win over whatever is wrong beside them. */
export function parseCall(command: Command, words: readonly string[]): Args | 'help' | 'version' {
  const options = [...command.options, ...everywhere];
  const type = ({ value, optional }: Option) => (value === undefined || optional ? 'boolean' : 'string');
  const types = Object.fromEntries(options.map((option) => [option.name, { type: type(option) } as const]));
  const { tokens } = parseArgs({
    args: [...words],
    options: { ...types, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const wish of ['help', 'version'] as const) {
    if (tokens.some((token) => token.kind === 'option' && token.name === wish)) return wish;
  }

  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  const behind: string[] = [];
  let isBehind = false;
  let open: Option | undefined;
  for (const token of tokens) {
    if (token.kind === 'option') {
      const option = options.find(({ name }) => name === token.name && token.rawName.startsWith('--'));
      if (option === undefined) throw unknownOption(token.rawName, options);
      take(option, valueGiven(option, token), values);
      open = option.many || (option.optional && token.value === undefined) ? option : undefined;
    } else if (token.kind === 'positional') {
      if (isBehind) behind.push(token.value);
      else if (open !== undefined && !command.positionals[positionals.length]?.like?.test(token.value)) {
        take(open, token.value, values);
        if (!open.many) open = undefined;
      } else positionals.push(token.value);
    } else {
      open = undefined;
      isBehind = command.behind !== undefined;
    }
  }
  const call = { values, positionals: checkedPositionals(command.positionals, positionals), behind };
  for (const { name, not } of command.options) {
    const other = not?.find((each) => values.has(each));
    if (values.has(name) && other !== undefined) throw new CallError(`--${name} and --${other} cannot be given together`);
  }
  return argsOf(command, call);
}

function unknownOption(written: string, options: readonly Option[]): CallError {
  const known = options.map(({ name }) => `--${name}`);
  return new CallError(`there is no option ${written}.${didYouMean(written, known) || `\nAllowed: ${known.join(' ')}`}`);
}

function valueGiven(
  option: Option,
  { rawName, value, inlineValue }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string | undefined {
  if (option.value === undefined && inlineValue) throw new CallError(`${rawName} takes no value`);
  if (option.value === undefined) return '';
  if (option.optional) return value;
  if (value === undefined) throw new CallError(`${rawName} needs a value: ${rawName} ${option.value}`);
  if (!inlineValue && /^-./.test(value) && !(option.whole !== undefined && /^-\d+$/.test(value)))
    throw new CallError(`${rawName} needs a value; one that begins with a dash is written ${rawName}=${option.value}`);
  return value;
}

function take(option: Option, value: string | undefined, values: Map<string, string[]>): void {
  const before = values.get(option.name) ?? [];
  if (before.length > 0 && !option.many && option.value !== undefined) throw new CallError(`--${option.name} is given twice`);
  values.set(option.name, [...before, ...(value === undefined ? [] : [checked(option, value)])]);
}

/** The value of an option as it is passed on; one that is not allowed throws. */
export function checked({ name, allowed, whole }: Option, value: string): string {
  if (allowed !== undefined) return oneOf(`--${name}`, value, allowed);
  if (whole !== undefined && (!/^-?\d+$/.test(value) || Number(value) < whole[0] || Number(value) > whole[1]))
    throw new CallError(`--${name} is ${value}; a whole number from ${whole.join(' to ')} is allowed`);
  return value;
}

function oneOf(name: string, value: string, allowed: readonly string[]): string {
  const found = allowed.find((each) => each.toLowerCase() === value.toLowerCase());
  if (found === undefined) throw new CallError(`${name} is ${JSON.stringify(value)}; allowed: ${allowed.join(', ')}`);
  return found;
}

function checkedPositionals(expected: readonly Positional[], given: readonly string[]): string[] {
  const missing = expected.find(({ optional }, index) => given[index] === undefined && !optional);
  if (missing !== undefined) throw new CallError(`<${missing.allowed?.join('|') ?? missing.name}> is missing`);
  const values = given.map((value, index) => {
    const { name, allowed } = expected[index] ?? { name: '' };
    return allowed === undefined ? value : oneOf(name, value, allowed);
  });
  const surplus = values[expected.length];
  if (surplus !== undefined && !expected.at(-1)?.many) throw new CallError(`unexpected argument ${JSON.stringify(surplus)}`);
  return values;
}

/** A parsed call. */
export type Args = ReturnType<typeof argsOf>;

/** A parsed call, to be asked. Asking for an option that the command does not have is a defect and throws. */
export function argsOf(command: Command, call: Call) {
  const texts = (name: string): readonly string[] => {
    const option = command.options.find((each) => each.name === name);
    if (option === undefined) throw new Error(`the command ${command.name} has no option ${name}`);
    const values = call.values.get(name);
    if (option.bare !== undefined && values?.length === 0) return [String(option.bare)];
    return values ?? (option.default === undefined ? [] : [String(option.default)]);
  };
  const number = (name: string) => (texts(name)[0] === undefined ? undefined : Number(texts(name)[0]));
  const passed = ({ name, value, many, whole }: Option) => {
    if (value === undefined) return texts(name).length > 0;
    if (many) return texts(name).length === 0 ? undefined : texts(name);
    return whole === undefined ? texts(name)[0] : number(name);
  };
  return {
    ...call,
    command,
    /** Whether the caller gave the option; its default does not count. */
    given: (name: string): boolean => call.values.has(name),
    flag: (name: string): boolean => texts(name).length > 0,
    /** The value given, or the default. */
    text: (name: string): string | undefined => texts(name)[0],
    texts,
    number,
    /** All that the library takes, by its names there, with defaults; what is not given and has none is missing. */
    options<Options extends object>(): Partial<Options> {
      const entries = command.options.flatMap((option) => (option.key === undefined ? [] : [[option.key, passed(option)] as const]));
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as never;
    },
  };
}
