import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../../spec/index.js';
import { command } from '../../test/command.js';
import { call } from '../call.js';
import { createIo, type Io } from '../io.js';

export interface Called {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Given {
  readonly columns?: number;
  readonly isTTY?: boolean;
  readonly env?: Io['env'];
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly onErr?: (text: string) => void;
  readonly onOut?: (text: string) => void;
}

/** Carries out a call in this process, with standard output as given. */
export async function calling(words: readonly string[], given: Given = {}): Promise<Called> {
  const { env = {}, cwd = process.cwd(), signal = new AbortController().signal, onOut, onErr, ...terminal } = given;
  const said = { out: '', err: '' };
  const stream = (name: keyof typeof said, told?: (text: string) => void) => ({
    write(text: string) {
      said[name] += text;
      told?.(text);
    },
  });
  const io = createIo({ stdout: { ...terminal, ...stream('out', onOut) }, stderr: stream('err', onErr), env, cwd, signal });
  return { code: await call(words, io), ...said };
}

/** A call in this process that goes on until it is ended, and what it has printed so far. */
export function begun(words: readonly string[], given: Given = {}) {
  const end = new AbortController();
  let out = '';
  let told = () => {};
  const onOut = (text: string) => {
    out += text;
    told();
  };
  const ended = calling(words, { ...given, signal: end.signal, onOut });
  /** What was printed, as soon as this is in it. */
  const printed = async (text: RegExp): Promise<string> => {
    for (;;) {
      const [found] = text.exec(out) ?? [];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (told = resolve));
    }
  };
  const stop = () => {
    end.abort();
    return ended;
  };
  return { printed, out: () => out, stop };
}

/** The same, of which only what it prints first is used. */
export async function callingUntil(
  words: readonly string[],
  use: (first: string) => Promise<unknown>,
  env: Io['env'] = {},
): Promise<Called> {
  const { printed, stop } = begun(words, { env });
  await printed(/[\s\S]+/)
    .then(use)
    .finally(stop);
  return stop();
}

/** A call in a process of its own, and what it has printed so far. */
export function started(words: readonly string[], env: Io['env'] = {}, input: 'ignore' | 'pipe' = 'ignore') {
  const [program, ...start] = command;
  const stdio = [input, 'pipe', 'pipe'] as const;
  const child: ChildProcess = spawn(program, [...start, ...words], {
    cwd: packageFile(),
    env: { ...process.env, ...env },
    stdio: [...stdio],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name]?.setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  /** What was printed, as soon as this is in it. */
  const printed = async (text: RegExp, where: keyof typeof said = 'stdout'): Promise<string> => {
    for (;;) {
      const [found] = text.exec(said[where]) ?? [];
      if (found !== undefined) return found;
      await once(child[where] as NodeJS.ReadableStream, 'data');
    }
  };
  const ended = once(child, 'close').then(([code]): Called => ({ code, out: said.stdout, err: said.stderr }));
  return { child, said, printed, ended };
}
