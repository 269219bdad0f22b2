import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { RecordedExchange, RunningServer } from '../../reference-server/index.js';
import type { Args } from './command.js';
import type { Io } from './io.js';

type Form = 'text' | 'json' | 'off';

export function logForm(args: Args, io: Io): Form {
  return (args.text('log') as Form | undefined) ?? (io.isTTY && !args.flag('json') ? 'text' : 'off');
}

/** Prints the exchanges as they happen, until the signal. */
export async function logExchanges(server: RunningServer, form: Form, io: Io, until: AbortSignal): Promise<void> {
  if (form === 'off') return;
  for await (const exchange of server.exchanges({ until })) {
    io.out(form === 'json' ? `${JSON.stringify(exchange)}\n` : line(exchange, io.colour));
  }
}

const colours = { A: 36, B: 32, C: 32, refused: 33, other: 35 } as const;

function line({ atMs, method, target, status, step, reason }: RecordedExchange, colour: boolean): string {
  const time = new Date(atMs).toISOString().slice(11, -1);
  const shown = `${status} ${step}`;
  // A target may hold what a terminal would obey.
  const asked = `${method} ${target}`.replace(/[^\x20-\x7e]/g, '?');
  return `${time} ${asked} ${colour ? `\u001b[${colours[step]}m${shown}\u001b[0m` : shown} ${reason}\n`;
}

/** The program that opens an address as the user likes it, by operating system. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in a browser: in the one that BROWSER names, or in the usual one. False when there is no program for it.
 * Other accounts of the machine can read the address in the list of processes, so what it holds must be good for one use only.
 */
export async function openInBrowser(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
