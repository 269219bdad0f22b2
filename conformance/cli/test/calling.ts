import { spawn } from 'node:child_process';
import { packageFile } from '../../../spec/index.js';
import { command } from '../../test/command.js';
import { call } from '../call.js';
import { createIo, type Io } from '../io.js';

export interface Called {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Carries out a call in this process, with standard output as given. */
export async function calling(
  words: readonly string[],
  given: {
    columns?: number;
    isTTY?: boolean;
    env?: Io['env'];
    signal?: AbortSignal;
    onErr?: (text: string) => void;
    onOut?: (text: string) => void;
  } = {},
): Promise<Called> {
  let out = '';
  let err = '';
  const io = createIo({
    stdout: {
      ...given,
      write: (text) => {
        out += text;
        given.onOut?.(text);
      },
    },
    stderr: {
      write: (text) => {
        err += text;
        given.onErr?.(text);
      },
    },
    env: given.env ?? {},
    cwd: process.cwd(),
    signal: given.signal ?? new AbortController().signal,
  });
  return { code: await call(words, io), out, err };
}

export async function running(words: readonly string[], env: Record<string, string> = {}): Promise<Called> {
  const [program, ...start] = command;
  const child = spawn(program, [...start, ...words], {
    cwd: packageFile(),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}
