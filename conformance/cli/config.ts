import { resolve } from 'node:path';
import { didYouMean } from '../../spec/nearest.js';
import { placeIn, readGiven } from '../../spec/read-given.js';
import type { Option } from '../option-table.js';
import { type Args, argsOf, CallError, checked } from './command.js';

/** The call, with the options in the JSON file of `--config` behind it. The members of the file are named like the options. */
export function withConfig(args: Args, cwd: string): Args {
  const file = args.text('config');
  if (file === undefined) return args;
  try {
    const { 'base-url': baseUrl, ...rest } = readObject(resolve(cwd, file));
    if (baseUrl !== undefined && typeof baseUrl !== 'string') throw unexpected('base-url', 'a text');
    const options = args.command.options.filter(({ name }) => name !== 'config');
    const values = Object.entries(rest).map(([name, value]) => [name, valuesOf(optionOf(name, options), value)] as const);
    const positionals = args.positionals.length > 0 || baseUrl === undefined ? args.positionals : [baseUrl];
    return argsOf(args.command, { ...args, values: new Map([...values, ...args.values]), positionals });
  } catch (error) {
    throw error instanceof CallError ? new CallError(`--config ${file}: ${error.message}`) : error;
  }
}

function readObject(path: string): Record<string, unknown> {
  const expected = 'a JSON object of options is expected, such as {"collection": ["people"]}';
  let parsed: unknown;
  try {
    parsed = JSON.parse(readGiven(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CallError(`it ${code === undefined ? `is not JSON${placeIn(error as Error)}` : `cannot be read (${code})`}; ${expected}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new CallError(`it holds no object; ${expected}`);
  return parsed as Record<string, unknown>;
}

function optionOf(name: string, options: readonly Option[]): Option {
  const found = options.find((option) => option.name === name);
  const names = ['base-url', ...options.map((option) => option.name)];
  if (found === undefined) throw new CallError(`there is no option ${name}.${didYouMean(name, names) || ` Options: ${names.join(' ')}`}`);
  return found;
}

/** The values as they would stand on the command line. */
function valuesOf(option: Option, value: unknown): string[] {
  if (option.value === undefined) {
    if (typeof value !== 'boolean') throw unexpected(option.name, 'true or false');
    return value ? [''] : [];
  }
  const [type, expected] = option.whole === undefined ? ['string', 'a text'] : ['number', 'a number'];
  const list: readonly unknown[] = option.many && Array.isArray(value) ? value : [value];
  if (list.some((each) => typeof each !== type)) throw unexpected(option.name, option.many ? 'a text or a list of texts' : expected);
  return list.map((each) => checked(option, String(each)));
}

/** The value is never repeated, because it may be secret. */
function unexpected(name: string, expected: string): CallError {
  return new CallError(`${name}: ${expected} is expected`);
}
