import type { Command, Option, Positional } from './command.js';
import type { Io } from './io.js';
import { everywhere } from './parse.js';
import { columns, fillLines, wrap } from './text.js';

type Page = Pick<Io, 'colour' | 'width'>;
type Rows = readonly (readonly [name: string, text: string])[];

const rest = '-- COMMAND…';

/** The help of the whole: what there is and how to go on. */
export function overview(commands: readonly Command[], page: Page): string {
  const table = (rows: Rows) => columns(rows, page.width);
  return sections(page, [
    ['', wrap('The conformance kit for token authentication on Hydra-style hypermedia APIs.', page.width)],
    ['Usage', ['hydrauth COMMAND [OPTIONS]', 'hydrauth help COMMAND']],
    ['Commands', table(commands.map(({ name, summary }) => [name, summary]))],
    ['Options', table(everywhere.map(({ name, text }) => [`--${name}`, text]))],
    ['Examples', commands.flatMap(({ examples }) => examples.slice(0, 1)).map(([line]) => line)],
  ]);
}

export function helpOf(command: Command, page: Page): string {
  const { summary, text, positionals, behind, options, examples, exitCodes } = command;
  const table = (rows: Rows) => columns(rows, page.width);
  return sections(page, [
    ['', wrap(`${summary} ${text ?? ''}`, page.width)],
    ['Usage', usage(command, page.width)],
    [
      'Arguments',
      table([...positionals.map((each) => [shown(each), each.text] as const), ...(behind === undefined ? [] : [[rest, behind] as const])]),
    ],
    ['Options', table([...options, ...everywhere].map((each) => [left(each), right(each)]))],
    ['Examples', examples.flatMap(([line, about]) => [...wrap(`# ${about}`, page.width - 2), line])],
    ['Exit codes', table(Object.entries(exitCodes))],
  ]);
}

function sections(page: Page, all: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      title === ''
        ? lines.join('\n')
        : [page.colour ? `\u001b[1m${title}\u001b[22m` : title, ...lines.map((line) => `  ${line}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

function usage(command: Command, width: number): string[] {
  const start = `hydrauth ${command.name}`;
  const words = [
    start,
    ...command.positionals.map(shown),
    ...command.options.map((option) => `[${left(option)}]`),
    ...(command.behind === undefined ? [] : [`[${rest}]`]),
  ];
  return fillLines(words, width - 6).map((line, index) => (index === 0 ? line : `    ${line}`));
}

function shown({ name, allowed, optional, many }: Positional): string {
  const text = allowed === undefined ? name : allowed.join('|');
  return `${optional ? `[${text}]` : `<${text}>`}${many ? '…' : ''}`;
}

function left({ name, value, many, optional, allowed }: Option): string {
  if (value === undefined) return `--${name}`;
  if (optional) return `--${name} [${value}${many ? '…' : ''}]`;
  return `--${name} ${allowed === undefined || allowed.length > 3 ? value : allowed.join('|')}${many ? '…' : ''}`;
}

function right({ text, allowed, default: otherwise }: Option): string {
  const list = allowed !== undefined && allowed.length > 3 ? ` One of ${allowed.join(', ')}.` : '';
  return `${text}${list}${otherwise === undefined ? '' : ` Default: ${otherwise}.`}`;
}
