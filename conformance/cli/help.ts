import { wrap } from '../../spec/wrap.js';
import type { Option } from '../option-table.js';
import { type Command, everywhere, type Positional } from './command.js';
import type { Io } from './io.js';

type Page = Pick<Io, 'colour' | 'width'>;
export type Rows = readonly (readonly [name: string, text: string])[];

const rest = '-- COMMAND…';

/** The help of the whole: what there is and how to go on. */
export function overview(commands: readonly Command[], page: Page): string {
  const table = (rows: Rows) => columns(rows, page.width);
  return sections(page, [
    ['', wrap('The conformance kit for token authentication on Hydra-style hypermedia APIs.', page.width)],
    ['Usage', ['hydrauth COMMAND [OPTIONS]', 'hydrauth help COMMAND']],
    ['Commands', table(commands.map(({ name, summary }) => [name, summary]))],
    ['Options', table(everywhere.map(({ name, text }) => [`--${name}`, text]))],
    ['Examples', commands.flatMap(({ examples }) => Object.keys(examples).slice(0, 1))],
  ]);
}

export function helpOf({ name, summary, text = '', positionals, behind, options, examples, exitCodes }: Command, page: Page): string {
  const table = (rows: Rows) => columns(rows, page.width);
  const last: Rows = behind === undefined ? [] : [[rest, behind]];
  const words = [
    `hydrauth ${name}`,
    ...positionals.map(shown),
    ...[...options.map(left), ...last.map(([word]) => word)].map((word) => `[${word}]`),
  ];
  // An option is not broken from its value.
  const usage = words.map((word) => word.replaceAll(' ', '\u00a0')).join(' ');
  const [first = '', ...more] = wrap(usage, page.width - 6).map((line) => line.replaceAll('\u00a0', ' '));
  return sections(page, [
    ['', wrap(`${summary} ${text}`.trim(), page.width)],
    ['Usage', [first, ...more.map((line) => `    ${line}`)]],
    ['Arguments', table([...positionals.map((each) => [shown(each), each.text] as const), ...last])],
    ['Options', table([...options, ...everywhere].map((each) => [left(each), right(each)]))],
    ['Examples', Object.entries(examples).flatMap(([line, about]) => [...wrap(`# ${about}`, page.width - 2), line])],
    ['Exit codes', table(Object.entries(exitCodes))],
  ]);
}

function sections({ colour }: Page, all: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  const texts = all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      title === '' ? lines.join('\n') : [colour ? `\u001b[1m${title}\u001b[22m` : title, ...lines.map((line) => `  ${line}`)].join('\n'),
    );
  return `${texts.join('\n\n')}\n`;
}

function shown({ name, allowed, optional, many }: Positional): string {
  const text = allowed?.join('|') ?? name;
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

/** Two columns, names and their texts; an overlong name gets a line of its own. */
export function columns(rows: Rows, width: number): string[] {
  const indent = Math.min(Math.max(0, ...rows.map(([name]) => name.length)), 26) + 2;
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - indent - 2);
    const head = name.length + 2 <= indent ? [name.padEnd(indent) + (lines.shift() ?? '')] : [name];
    return [...head, ...lines.map((line) => ' '.repeat(indent) + line)];
  });
}
