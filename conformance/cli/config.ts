import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Args, CallError, type Command } from './command.js';
import { didYouMean } from './nearest.js';

type Value = string | number | boolean | readonly string[];

/** The options of a command from a JSON file, behind those of the command line. Its members are named like the options. */
export function withConfig(args: Args, command: Command, cwd: string): Args & { readonly baseUrl: string | undefined } {
  const file = args.text('config');
  const config = file === undefined ? {} : readConfig(file, resolve(cwd, file), command);
  const value = (name: string): Value | undefined => (args.given(name) ? undefined : config[name]);
  return {
    positionals: args.positionals,
    baseUrl: args.positionals[0] ?? (config['base-url'] as string | undefined),
    given: (name) => args.given(name) || config[name] !== undefined,
    flag: (name) => args.flag(name) || value(name) === true,
    text: (name) => (value(name) === undefined ? args.text(name) : String(value(name))),
    texts(name) {
      const own = value(name);
      if (own === undefined) return args.texts(name);
      return typeof own === 'object' ? own : [String(own)];
    },
    number: (name) => (value(name) === undefined ? args.number(name) : Number(value(name))),
  };
}

function readConfig(file: string, path: string, command: Command): Record<string, Value> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CallError(
      `--config ${file} ${code === undefined ? `is not JSON: ${message}` : `cannot be read (${code})`}; a JSON object of options is expected`,
    );
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new CallError(`--config ${file} holds no object; a JSON object of options is expected, such as {"collection": ["people"]}`);
  const names = ['base-url', ...command.options.map((option) => option.name).filter((name) => name !== 'config')];
  for (const [name, given] of Object.entries(parsed)) {
    if (!names.includes(name))
      throw new CallError(`--config ${file}: there is no option ${name}.${didYouMean(name, names)} Options: ${names.join(' ')}`);
    check(file, name, given, command);
  }
  return parsed as Record<string, Value>;
}

function check(file: string, name: string, given: unknown, command: Command): void {
  const option = command.options.find((each) => each.name === name);
  const fail = (allowed: string): never => {
    throw new CallError(`--config ${file}: ${name} is ${JSON.stringify(given)}; ${allowed} is expected`);
  };
  if (option?.many === true) {
    if (typeof given !== 'string' && !(Array.isArray(given) && given.every((each) => typeof each === 'string')))
      fail('a text or a list of texts');
  } else if (option?.whole !== undefined) {
    const [from, to] = option.whole;
    if (!Number.isInteger(given) || (given as number) < from || (given as number) > to) fail(`a whole number from ${from} to ${to}`);
  } else if (option !== undefined && option.value === undefined) {
    if (typeof given !== 'boolean') fail('true or false');
  } else if (typeof given !== 'string') fail('a text');
  if (option?.allowed !== undefined && !option.allowed.includes(given as string)) fail(option.allowed.join(' or '));
}
