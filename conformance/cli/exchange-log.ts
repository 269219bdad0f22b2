import type { RecordedExchange, RunningServer } from '../../reference-server/index.js';
import type { Args, Option } from './command.js';
import type { Io } from './io.js';

export const logOption: Option = {
  name: 'log',
  value: 'FORM',
  allowed: ['text', 'json', 'off'],
  text: 'Print every exchange: a line of text, or of JSON as the control listener gives it. On a terminal text is the default, unless there is --json; elsewhere off is.',
};

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
