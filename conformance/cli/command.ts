import type { Io } from './io.js';

/** A command: the data to parse its call and to write its help, and its code. What takes long to load is imported by `run`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it does, in a few sentences, for its own help. */
  readonly text?: string;
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  readonly exitCodes: readonly ExitCode[];
  /** Gives the exit code, throws a CallError when the call is wrong. */
  readonly run: (args: Args, io: Io) => Promise<number>;
}

export interface Positional {
  readonly name: string;
  readonly text: string;
  readonly optional?: boolean;
  readonly many?: boolean;
  readonly allowed?: readonly string[];
  /** What it looks like, so that it is recognised among the values of an option that takes several. */
  readonly like?: RegExp;
}

export interface Option {
  /** Without the two dashes. */
  readonly name: string;
  readonly text: string;
  /** The name of the value in the help; an option without one is a flag. */
  readonly value?: string;
  /** Takes several values: `--x a b`, `--x a --x b`. */
  readonly many?: boolean;
  /** Accepted in any letter case, passed on as written here. */
  readonly allowed?: readonly string[];
  /** A whole number between these two. */
  readonly whole?: readonly [from: number, to: number];
  /** What holds when it is not given. */
  readonly default?: string;
  /** Options that cannot be given beside this one. */
  readonly not?: readonly string[];
}

interface Example {
  readonly line: string;
  readonly text: string;
}

interface ExitCode {
  readonly code: number;
  readonly text: string;
}

/** A parsed call. Asking for an option that the command does not have is a defect and throws. */
export interface Args {
  readonly positionals: readonly string[];
  /** Whether the caller gave the option; its default does not count. */
  given(name: string): boolean;
  flag(name: string): boolean;
  /** The value given, or the default. */
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  number(name: string): number | undefined;
  /** The same call, with these values and arguments for what it does not give. */
  or(values: ReadonlyMap<string, readonly string[]>, positionals: readonly string[]): Args;
}

/** The options that have a value: one that is undefined is not passed on. */
export function onlyGiven<T extends object>(options: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** The call is wrong: exit code 2. The message names what is wrong and what is allowed. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code = 'HYDRAUTH_CALL';
}
