import { type Option, optionsIn, type Place } from '../option-table.js';
import type { Io } from './io.js';

export type { Option };

/** A command: the data to parse its call and to write its help, and its code. What takes long to load is imported by `run`. */
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
  readonly examples: readonly (readonly [line: string, text: string])[];
  readonly exitCodes: Readonly<Record<number, string>>;
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

/** A command with the options that the table has for it. Every command ends with 2 when the call is wrong. */
export function command({ positionals = [], exitCodes, ...data }: Omit<Command, 'options' | 'positionals'> & Partial<Command>): Command {
  return { ...data, positionals, options: optionsIn(data.name), exitCodes: { 2: 'The call is wrong.', ...exitCodes } };
}

/** The exit codes of a run that ends with a verdict. */
export const verdictCodes = {
  0: 'Conformant.',
  1: 'A MUST is violated, or an entry of the baseline is stale; with --strict also a SHOULD violated, a flaky requirement or a MUST untested.',
  3: 'No verdict.',
  130: 'Interrupted.',
} as const;

/** A parsed call. Asking for an option that the command does not have is a defect and throws. */
export interface Args {
  readonly positionals: readonly string[];
  /** The words behind `--`, where the command keeps them apart. */
  readonly behind: readonly string[];
  /** Whether the caller gave the option; its default does not count. */
  given(name: string): boolean;
  flag(name: string): boolean;
  /** The value given, or the default. */
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  number(name: string): number | undefined;
  /** All that the library takes, by its names there, with defaults; what is not given and has none is missing. */
  options<Options extends object>(): Partial<Options>;
  /** The same call, with these values and arguments for what it does not give. */
  or(values: ReadonlyMap<string, readonly string[]>, positionals: readonly string[]): Args;
}

/** The call is wrong: exit code 2. The message names what is wrong and what is allowed. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code = 'HYDRAUTH_CALL';
}
