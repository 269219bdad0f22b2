import { didYouMean } from '../../spec/nearest.js';
import { kitVersion } from '../version.js';
import { CallError, type Command, parseCall } from './command.js';
import { commands } from './commands.js';
import { helpOf, overview } from './help.js';
import { asStarted, Interrupted, type Io } from './io.js';

const callIsWrong = 2;
/** Codes of errors that are the caller's: a wrong call, options, files, specs. */
const callersMistakes = ['HYDRAUTH_CALL', 'HYDRAUTH_OPTION', 'HYDRAUTH_INPUT_FILE', 'HYDRAUTH_SPEC'];
/** No verdict was reached: whatever went wrong in the kit itself must look like neither success nor a violation. */
export const noVerdict = 3;

const named = (name: string) => commands.find((each) => each.name === name);

/** Carries out one call and gives its exit code. Never throws. */
export async function call([name = 'help', ...rest]: readonly string[], io: Io): Promise<number> {
  const command = named(name);
  try {
    const args = command && parseCall(command, rest);
    if (typeof args === 'object') return await args.command.run(args, io);
    const isVersion = args === 'version' || name === '--version';
    io.out(asStarted(isVersion ? `${kitVersion()}\n` : help(command, name, rest, io), io));
    return 0;
  } catch (error) {
    if (io.signal.aborted && io.signal.reason instanceof Interrupted) return io.signal.reason.exitCode;
    return await complain(error, command, io);
  }
}

function help(command: Command | undefined, word: string, [about = '-']: readonly string[], io: Io): string {
  if (command !== undefined) return helpOf(command, io);
  if (!['help', '--help', '-h'].includes(word)) throw unknown(word);
  if (about.startsWith('-')) return overview(commands, io);
  const found = named(about);
  if (found === undefined) throw unknown(about);
  return helpOf(found, io);
}

function unknown(name: string): CallError {
  const names = commands.map((each) => each.name);
  const kind = name.startsWith('-') ? 'option' : 'command';
  return new CallError(`there is no ${kind} ${name}.${didYouMean(name, names)}\nCommands: ${names.join(' ')}`);
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
