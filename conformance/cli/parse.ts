import { parseArgs } from 'node:util';
import { didYouMean } from '../../spec/nearest.js';
import { type Args, CallError, type Command, type Option, type Positional } from './command.js';

/** Options that every command has. */
export const everywhere: readonly Option[] = [
  { name: 'help', text: 'Show this help.' },
  { name: 'version', text: 'Show the version.' },
];

/** Reads the words after a command's name. `--help` and `--version` win over whatever is wrong beside them. */
export function parseCall(command: Command, words: readonly string[]): Args | 'help' | 'version' {
  const options = [...command.options, ...everywhere];
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options.map((option) => [option.name, settings(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const wish of ['help', 'version'] as const) {
    if (tokens.some((token) => token.kind === 'option' && token.name === wish)) return wish;
  }

  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  const behind: string[] = [];
  let isBehind = false;
  let open: Option | undefined;
  for (const token of tokens) {
    if (token.kind === 'option') {
      const option = options.find(({ name }) => name === token.name && token.rawName.startsWith('--'));
      if (option === undefined) throw unknownOption(token.rawName, command);
      take(option, valueGiven(option, token), given);
      open = option.many || (option.optional && token.value === undefined) ? option : undefined;
    } else if (token.kind === 'positional') {
      if (isBehind) behind.push(token.value);
      else if (open !== undefined && !isPositional(token.value, command, positionals.length)) {
        take(open, token.value, given);
        if (!open.many) open = undefined;
      } else positionals.push(token.value);
    } else {
      open = undefined;
      isBehind = command.behind !== undefined;
    }
  }
  checkPositionals(command, positionals);
  checkExclusive(command, given);
  return argsOf(command, given, positionals, behind);
}

function settings(option: Option): { type: 'string' | 'boolean'; multiple: boolean; short?: string } {
  const type = option.value === undefined || option.optional ? 'boolean' : 'string';
  return option.name === 'help' ? { type, multiple: true, short: 'h' } : { type, multiple: true };
}

function valueGiven(
  option: Option,
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string | undefined {
  const { rawName, value, inlineValue } = token;
  if (option.value === undefined) {
    if (inlineValue) throw new CallError(`${rawName} takes no value`);
    return '';
  }
  if (option.optional) return value;
  if (value === undefined) throw new CallError(`${rawName} needs a value: ${rawName} ${option.value}`);
  if (!inlineValue && /^-./.test(value) && !(option.whole !== undefined && /^-\d+$/.test(value)))
    throw new CallError(`${rawName} needs a value; one that begins with a dash is written ${rawName}=${value}`);
  return value;
}

function take(option: Option, value: string | undefined, given: Map<string, string[]>): void {
  const before = given.get(option.name) ?? [];
  if (before.length > 0 && !option.many && option.value !== undefined) throw new CallError(`--${option.name} is given twice`);
  given.set(option.name, [...before, ...(value === undefined ? [] : [checked(option, value)])]);
}

/** The value of an option as it is passed on; one that is not allowed throws. */
export function checked(option: Option, value: string): string {
  if (option.allowed !== undefined) return oneOf(`--${option.name}`, value, option.allowed);
  if (option.whole !== undefined) {
    const [from, to] = option.whole;
    if (!/^-?\d+$/.test(value) || Number(value) < from || Number(value) > to)
      throw new CallError(`--${option.name} is ${value}; a whole number from ${from} to ${to} is allowed`);
  }
  return value;
}

function oneOf(name: string, value: string, allowed: readonly string[]): string {
  const found = allowed.find((each) => each.toLowerCase() === value.toLowerCase());
  if (found === undefined) throw new CallError(`${name} is ${JSON.stringify(value)}; allowed: ${allowed.join(', ')}`);
  return found;
}

function isPositional(value: string, command: Command, index: number): boolean {
  return command.positionals[index]?.like?.test(value) ?? false;
}

function checkPositionals(command: Command, given: string[]): void {
  for (const [index, positional] of command.positionals.entries()) {
    const value = given[index];
    if (value === undefined) {
      if (!positional.optional) throw new CallError(`${missingName(positional)} is missing`);
    } else if (positional.allowed !== undefined) {
      given[index] = oneOf(positional.name, value, positional.allowed);
    }
  }
  const surplus = given[command.positionals.length];
  if (surplus !== undefined && !command.positionals.at(-1)?.many) throw new CallError(`unexpected argument ${JSON.stringify(surplus)}`);
}

function missingName(positional: Positional): string {
  return positional.allowed === undefined ? `<${positional.name}>` : `<${positional.allowed.join('|')}>`;
}

function checkExclusive(command: Command, given: ReadonlyMap<string, unknown>): void {
  for (const option of command.options) {
    const other = option.not?.find((name) => given.has(name));
    if (given.has(option.name) && other !== undefined) throw new CallError(`--${option.name} and --${other} cannot be given together`);
  }
}

function unknownOption(written: string, command: Command): CallError {
  const known = [...command.options, ...everywhere].map(({ name }) => `--${name}`);
  const meant = didYouMean(written, known);
  return new CallError(`there is no option ${written}.${meant === '' ? `\nAllowed: ${known.join(' ')}` : meant}`);
}

function argsOf(
  command: Command,
  given: ReadonlyMap<string, readonly string[]>,
  positionals: readonly string[],
  behind: readonly string[],
): Args {
  const values = (name: string): readonly string[] => {
    const option = command.options.find((each) => each.name === name);
    if (option === undefined) throw new Error(`the command ${command.name} has no option ${name}`);
    if (option.bare !== undefined && given.get(name)?.length === 0) return [String(option.bare)];
    return given.get(name) ?? (option.default === undefined ? [] : [String(option.default)]);
  };
  const passed = ({ name, value, many, whole }: Option) => {
    const all = values(name);
    if (value === undefined) return all.length > 0;
    if (all.length === 0) return undefined;
    return many ? all : whole === undefined ? all[0] : Number(all[0]);
  };
  const entries = () => command.options.flatMap((option) => (option.key === undefined ? [] : [[option.key, passed(option)] as const]));
  return {
    positionals,
    behind,
    given: (name) => given.has(name),
    flag: (name) => values(name).length > 0,
    text: (name) => values(name)[0],
    texts: values,
    number: (name) => (values(name)[0] === undefined ? undefined : Number(values(name)[0])),
    options: () => Object.fromEntries(entries().filter(([, value]) => value !== undefined)) as never,
    or: (more, others) => argsOf(command, new Map([...more, ...given]), positionals.length > 0 ? positionals : others, behind),
  };
}
