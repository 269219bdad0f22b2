import type { OpenPoint, Requirement } from '../../../spec/index.js';
import { type Args, CallError, type Command } from '../command.js';
import type { Io } from '../io.js';
import { didYouMean } from '../nearest.js';
import { givenSpec, specOption } from '../profile.js';
import { wrap } from '../text.js';

type Row = Requirement | OpenPoint;

const gap = '  ';
const roleWidth = 'server'.length;
const levelWidth = 'SHOULD'.length;
const sectionWidth = 20;
/** A narrower column of statements is hard to read; each then stands below its id. */
const leastStatementWidth = 40;

export const requirements: Command = {
  name: 'requirements',
  summary: 'Show the catalogue: what the protocol requires and what it leaves open.',
  text: 'The rows of servers come first, then those of clients.',
  positionals: [],
  options: [
    { name: 'role', value: 'R', allowed: ['server', 'client'], text: 'Only rows of servers, or of clients.' },
    { name: 'level', value: 'L', many: true, allowed: ['MUST', 'SHOULD', 'OPEN'], text: 'Only rows of these levels.' },
    {
      name: 'step',
      value: 'S',
      many: true,
      allowed: ['headers', 'challenge', 'exchange', 'token', 'expiry', 'protection', 'jsonld', 'errors', 'off', 'config', 'client'],
      text: 'Only rows of these steps.',
    },
    { name: 'id', value: 'ID', many: true, text: 'Only these rows.' },
    specOption,
    { name: 'json', text: 'As JSON, with hints, answers and what checks each row.' },
  ],
  examples: [
    { line: 'hydrauth requirements --level MUST --step token expiry', text: 'What a server must do with tokens.' },
    { line: 'hydrauth requirements --role client', text: 'What a client must do and should do.' },
    { line: 'hydrauth requirements --level OPEN', text: 'What the protocol leaves open.' },
  ],
  exitCodes: [
    { code: 0, text: 'Shown.' },
    { code: 2, text: 'The call is wrong.' },
  ],
  async run(args, io) {
    const { catalogue, clientCatalogue } = await givenSpec(args, io);
    const { version, sources } = catalogue;
    const rows = chosen(args, [...catalogue.rows, ...clientCatalogue.rows]);
    if (args.flag('json')) {
      const cited = new Set(rows.flatMap((row) => row.source));
      io.out(`${JSON.stringify({ version, sources: sources.filter(({ point }) => cited.has(point)), requirements: rows }, null, 2)}\n`);
    } else {
      io.out(catalogueTable(rows, io));
    }
    return 0;
  },
};

function chosen(args: Args, rows: readonly Row[]): readonly Row[] {
  const ids = rows.map(({ id }) => id);
  for (const id of args.texts('id')) {
    if (!ids.includes(id)) throw new CallError(`there is no requirement ${id}.${didYouMean(id, ids)}`);
  }
  const among = (name: string, value: string) => !args.given(name) || args.texts(name).includes(value);
  return rows.filter((row) => among('role', row.role) && among('level', row.level) && among('step', row.step) && among('id', row.id));
}

/** The rows as a table that fits the width, with the counts below it. */
function catalogueTable(rows: readonly Row[], { width, colour }: Pick<Io, 'width' | 'colour'>): string {
  const idWidth = Math.max('ID'.length, ...rows.map(({ id }) => id.length));
  const statementWidth = width - idWidth - roleWidth - levelWidth - sectionWidth - 4 * gap.length;
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
  const lines =
    statementWidth < leastStatementWidth
      ? rows.flatMap((row) => stacked(row, width, bold))
      : [
          bold(
            ['ID'.padEnd(idWidth), 'ROLE'.padEnd(roleWidth), 'LEVEL'.padEnd(levelWidth), 'SECTION'.padEnd(sectionWidth), 'STATEMENT'].join(
              gap,
            ),
          ),
          ...rows.flatMap((row) => inColumns(row, [idWidth, roleWidth, levelWidth, sectionWidth, statementWidth])),
        ];
  return `${[...lines, '', counts(rows)].join('\n')}\n`;
}

function inColumns(row: Row, widths: readonly [number, number, number, number, number]): string[] {
  const cells = [[row.id], [row.role], [row.level], wrap(row.section, widths[3]), wrap(textOf(row), widths[4])];
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, column) => (cell[line] ?? '').padEnd(widths[column] as number))
      .join(gap)
      .trimEnd(),
  );
}

function stacked(row: Row, width: number, bold: (text: string) => string): string[] {
  const head = wrap(`${row.role}, ${row.level}, ${row.section}`, width - 2);
  return [bold(row.id), ...head.map((line) => `  ${line}`), ...wrap(textOf(row), width - 2).map((line) => `  ${line}`), ''];
}

function textOf(row: Row): string {
  return row.level === 'OPEN' ? row.question : row.statement;
}

function counts(rows: readonly Row[]): string {
  const count = (level: Row['level']) => `${rows.filter((row) => row.level === level).length} ${level}`;
  return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${count('MUST')}, ${count('SHOULD')}, ${count('OPEN')}`;
}
