import type { Command } from './command.js';

/** Options of the library that have another name on the command line. */
const flags: Readonly<Record<string, string>> = {
  collections: 'collection',
  users: 'user',
  headers: 'header',
  timeoutMs: 'timeout',
  basePath: 'base-path',
  baseUrl: 'base-url',
  faults: 'fault',
  variants: 'variant',
};

/** The complaint about an option of the library, with its name as it is written on the command line. */
export function inFlags(complaint: string, { options, positionals }: Pick<Command, 'options' | 'positionals'>): string {
  return complaint.replace(/^\w+(?=: )/, (name) => {
    const flag = flags[name] ?? name;
    if (options.some((option) => option.name === flag)) return `--${flag}`;
    return positionals.some((positional) => positional.name === flag) ? `<${flag}>` : name;
  });
}
