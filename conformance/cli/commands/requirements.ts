import type { OpenPoint, Requirement } from '../../../spec/index.js';
import { didYouMean } from '../../../spec/nearest.js';
import { type Args, CallError, command } from '../command.js';
import { givenSpec } from '../given.js';
import type { Io } from '../io.js';
import { wrap } from '../text.js';

type Row = Requirement | OpenPoint;

/** A narrower column of statements is hard to read; each then stands below its id. */
const leastStatementWidth = 40;

export const requirements = command({
  name: 'requirements',
  summary: 'Show the catalogue: what the protocol requires and what it leaves open.',
  text: 'The rows of servers come first, then those of clients.',
  examples: [
    ['hydrauth requirements --level MUST --step token expiry', 'What a server must do with tokens.'],
    ['hydrauth requirements --role client', 'What a client must do and should do.'],
    ['hydrauth requirements --level OPEN', 'What the protocol leaves open.'],
  ],
  exitCodes: { 0: 'Shown.' },
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
});

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
  const narrow = [idWidth, 'server'.length, 'SHOULD'.length, 20];
  const widths = [...narrow, width - narrow.reduce((sum, each) => sum + each + gap.length, 0)];
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
  const lines =
    (widths[4] as number) < leastStatementWidth
      ? rows.flatMap((row) => stacked(row, width, bold))
      : [
          bold(inColumns(['ID', 'ROLE', 'LEVEL', 'SECTION', 'STATEMENT'], widths).join()),
          ...rows.flatMap((row) => inColumns(cellsOf(row), widths)),
        ];
  return `${[...lines, '', counts(rows)].join('\n')}\n`;
}

const gap = '  ';

function inColumns(cells: readonly string[], widths: readonly number[]): string[] {
  // A word is never broken, and ids hold no blanks.
  const wrapped = cells.map((cell, column) => wrap(cell, widths[column] as number));
  const line = (at: number) => wrapped.map((cell, column) => (cell[at] ?? '').padEnd(widths[column] as number)).join(gap);
  return Array.from({ length: Math.max(...wrapped.map((cell) => cell.length)) }, (_, at) => line(at).trimEnd());
}

function cellsOf(row: Row): readonly string[] {
  return [row.id, row.role, row.level, row.section, row.level === 'OPEN' ? row.question : row.statement];
}

function stacked(row: Row, width: number, bold: (text: string) => string): string[] {
  const [id = '', role, level, section, statement = ''] = cellsOf(row);
  const below = [`${role}, ${level}, ${section}`, statement].flatMap((text) => wrap(text, width - 2));
  return [bold(id), ...below.map((line) => `  ${line}`), ''];
}

function counts(rows: readonly Row[]): string {
  const count = (level: Row['level']) => `${rows.filter((row) => row.level === level).length} ${level}`;
  return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${count('MUST')}, ${count('SHOULD')}, ${count('OPEN')}`;
}
