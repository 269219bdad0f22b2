import type { Io } from './io.js';

/** A command as data: enough to parse its call and to write its help. */
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
}

export interface CallableCommand extends Command {
  /** Begins what takes long, before its code is loaded. */
  readonly prepare?: (args: Args) => Promise<void>;
  readonly load: () => Promise<{ readonly run: Run }>;
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

export interface Example {
  readonly line: string;
  readonly text: string;
}

export interface ExitCode {
  readonly code: number;
  readonly text: string;
}

/** The code of a command: gives the exit code, throws a CallError when the call is wrong. */
export type Run = (args: Args, io: Io) => Promise<number>;

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
}

/** The call is wrong: exit code 2. The message names what is wrong and what is allowed. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code = 'HYDRAUTH_CALL';
}
