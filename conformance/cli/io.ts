import { commandNames } from '../option-table.js';

/** All that a command may know and touch of the process it runs in. */
export type Io = Readonly<ReturnType<typeof createIo>>;

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

interface From {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Pick<From['stdout'], 'write'>;
  readonly stdin?: { resume(): unknown; once(event: 'close' | 'end' | 'error', then: () => void): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted on SIGINT and SIGTERM, with an `Interrupted` as its reason. */
  readonly signal: AbortSignal;
}

const widthOfAPipe = 100;
const leastWidth = 40;

export function createIo({ stdout, stderr, stdin, env, cwd, signal }: From) {
  const isTTY = stdout.isTTY === true;
  const self: 'hydrauth' | 'npx hydrauth' = env['npm_command'] === 'exec' ? 'npx hydrauth' : 'hydrauth';
  return {
    /** How this command was started, for the commands that are printed. */
    self,
    /** Writes to standard output, as given: no line end is added. */
    out: (text: string) => void stdout.write(text),
    /** Writes to standard error, as given. */
    err: (text: string) => void stderr.write(text),
    /** Whether standard output is a terminal. */
    isTTY,
    /** Whether standard output is to be coloured. */
    colour: wantsColour(env, isTTY),
    /** Columns of standard output. */
    width: Math.max(leastWidth, stdout.columns ?? (Number(env['COLUMNS']) || widthOfAPipe)),
    env,
    cwd,
    /** Settles when standard input has ended; it is read from then on, and thrown away. */
    inputEnd: () =>
      new Promise<void>((resolve) => {
        for (const event of ['end', 'close', 'error'] as const) stdin?.once(event, resolve);
        stdin?.resume();
      }),
    signal,
  };
}

/** FORCE_COLOR goes before NO_COLOR, as it does in Node itself. */
function wantsColour(env: From['env'], isTTY: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return (env['NO_COLOR'] ?? '') === '' && isTTY && env['TERM'] !== 'dumb';
}
