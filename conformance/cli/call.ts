import { didYouMean } from '../../spec/nearest.js';
import { kitVersion } from '../version.js';
import { CallError, type Command } from './command.js';
import { commands } from './commands/index.js';
import { helpOf, overview } from './help.js';
import { asStarted, Interrupted, type Io } from './io.js';
import { parseCall } from './parse.js';

const callIsWrong = 2;
/** Codes of errors that are the caller's: a wrong call, options, files, specs. */
const callersMistakes = ['HYDRAUTH_CALL', 'HYDRAUTH_OPTION', 'HYDRAUTH_INPUT_FILE', 'HYDRAUTH_SPEC'];
/** No verdict was reached: whatever went wrong in the kit itself must look like neither success nor a violation. */
export const noVerdict = 3;

/** Carries out one call and gives its exit code. Never throws. */
export async function call(words: readonly string[], io: Io): Promise<number> {
  const [name = 'help', ...rest] = words;
  const command = commands.find((each) => each.name === name);
  try {
    if (command !== undefined) return await run(command, rest, io);
    if (name === '--version') return print(io, `${kitVersion()}\n`);
    if (name === 'help' || name === '--help' || name === '-h') return print(io, help(rest, io));
    throw new CallError(unknown(name));
  } catch (error) {
    if (io.signal.aborted && io.signal.reason instanceof Interrupted) return io.signal.reason.exitCode;
    return await complain(error, command, io);
  }
}

async function run(command: Command, words: readonly string[], io: Io): Promise<number> {
  const args = parseCall(command, words);
  if (args === 'help') return print(io, helpOf(command, io));
  if (args === 'version') return print(io, `${kitVersion()}\n`);
  return command.run(args, io);
}

function help([name]: readonly string[], io: Io): string {
  if (name === undefined || name.startsWith('-')) return overview(commands, io);
  const command = commands.find((each) => each.name === name);
  if (command === undefined) throw new CallError(unknown(name));
  return helpOf(command, io);
}

function unknown(name: string): string {
  const names = commands.map((each) => each.name);
  const kind = name.startsWith('-') ? 'option' : 'command';
  return `there is no ${kind} ${name}.${didYouMean(name, names)}\nCommands: ${names.join(' ')}`;
}

function print(io: Io, text: string): number {
  io.out(asStarted(text, io));
  return 0;
}

/** What is complained of may quote a file that somebody else wrote. */
async function complain(error: unknown, command: Command | undefined, io: Io): Promise<number> {
  const { visible } = await import('../report/index.js');
  const self = command === undefined ? 'hydrauth' : `hydrauth ${command.name}`;
  const wrong = error instanceof Error ? error : new Error(String(error));
  const code = String((wrong as { code?: unknown }).code);
  if (callersMistakes.includes(code)) {
    const said = command !== undefined && code === 'HYDRAUTH_OPTION' ? inFlags(wrong.message, command) : wrong.message;
    io.err(visible(`${self}: ${asStarted(`${said}\n${self} --help`, io)} shows how to call it.\n`));
    return callIsWrong;
  }
  io.err(visible(`${self}: ${code.startsWith('HYDRAUTH_') ? wrong.message : (wrong.stack ?? wrong.message)}\n`));
  return noVerdict;
}

/** The complaint about an option of the library, with its name as it is written on the command line. */
function inFlags(complaint: string, { options, positionals }: Command): string {
  return complaint.replace(/^\w+(?=: )/, (key) => {
    const option = options.find((each) => each.key === key);
    if (option !== undefined) return `--${option.name}`;
    return key === 'baseUrl' && positionals.some(({ name }) => name === 'base-url') ? '<base-url>' : key;
  });
}
