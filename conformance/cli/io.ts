import { commandNames } from '../option-table.js';

/** All that a command may know and touch of the process it runs in. */
export interface Io {
  /** How this command was started, for the commands that are printed. */
  readonly self: 'hydrauth' | 'npx hydrauth';
  /** Writes to standard output, as given: no line end is added. */
  out(text: string): void;
  /** Writes to standard error, as given. */
  err(text: string): void;
  /** Whether standard output is a terminal. */
  readonly isTTY: boolean;
  /** Whether standard output is to be coloured. */
  readonly colour: boolean;
  /** Columns of standard output. */
  readonly width: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Settles when standard input has ended; it is read from then on, and thrown away. */
  inputEnd(): Promise<void>;
  /** Aborted on SIGINT and SIGTERM, with an `Interrupted` as its reason. */
  readonly signal: AbortSignal;
}

const commands = new RegExp(`(?<!npx )\\bhydrauth(?=\\s+(?:${[...commandNames, 'help', 'COMMAND'].join('|')})\\b)`, 'g');

/** A text with the commands in it as this one was started. */
export function asStarted(text: string, { self }: Pick<Io, 'self'>): string {
  return text.replaceAll(commands, self);
}

/** The reason of an aborted run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(readonly by: 'SIGINT' | 'SIGTERM') {
    super(`interrupted by ${by}`);
    this.exitCode = by === 'SIGINT' ? 130 : 143;
  }
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Input {
  resume(): unknown;
  once(event: 'close' | 'end' | 'error', then: () => void): unknown;
}

const widthOfAPipe = 100;
const leastWidth = 40;

export function createIo(from: {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly stdin?: Input;
  readonly env: Io['env'];
  readonly cwd: string;
  readonly signal: AbortSignal;
}): Io {
  const { stdout, stderr, stdin, env, cwd, signal } = from;
  const isTTY = stdout.isTTY === true;
  return {
    self: env['npm_command'] === 'exec' ? 'npx hydrauth' : 'hydrauth',
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isTTY,
    colour: wantsColour(env, isTTY),
    width: Math.max(leastWidth, stdout.columns ?? (Number(env['COLUMNS']) || widthOfAPipe)),
    env,
    cwd,
    inputEnd: () =>
      new Promise((resolve) => {
        for (const event of ['end', 'close', 'error'] as const) stdin?.once(event, resolve);
        stdin?.resume();
      }),
    signal,
  };
}

/** FORCE_COLOR goes before NO_COLOR, as it does in Node itself. */
function wantsColour(env: Io['env'], isTTY: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return isTTY && env['TERM'] !== 'dumb';
}
