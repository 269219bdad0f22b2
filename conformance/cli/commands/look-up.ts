import type { Fault } from '../../../fixtures/index.js';
import { didYouMean, nearWords, type OpenPoint, type Protocol, type Requirement, type Step, wrap } from '../../../spec/index.js';
import { type Args, CallError } from '../command.js';
import { givenSpec } from '../given.js';
import { columns, type Rows } from '../help.js';
import { asStarted, type Io } from '../io.js';

type Row = Requirement | OpenPoint;

/** Shows the catalogue. */
export async function requirements(args: Args, io: Io): Promise<number> {
  const { catalogue, clientCatalogue } = givenSpec(args, io);
  const { version, sources } = catalogue;
  const rows = chosen(args, [...catalogue.rows, ...clientCatalogue.rows]);
  const cited = new Set(rows.flatMap((row) => row.source));
  const shown = { version, sources: sources.filter(({ point }) => cited.has(point)), requirements: rows };
  io.out(args.flag('json') ? `${JSON.stringify(shown, null, 2)}\n` : catalogueTable(rows, io));
  return 0;
}

function chosen(args: Args, rows: readonly Row[]): readonly Row[] {
  const ids = rows.map(({ id }) => id);
  const unknown = args.texts('id').find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new CallError(`there is no requirement ${unknown}.${didYouMean(unknown, ids)}`);
  const filters = (['role', 'level', 'step', 'id'] as const).filter((name) => args.given(name));
  return rows.filter((row) => filters.every((name) => args.texts(name).includes(row[name])));
}

/** A narrower column of statements is hard to read; each then stands below its id. */
const leastStatementWidth = 40;
const gap = '  ';

/** The rows as a table that fits the width, with the counts below it. */
function catalogueTable(rows: readonly Row[], { width, colour }: Io): string {
  const idWidth = Math.max('ID'.length, ...rows.map(({ id }) => id.length));
  const narrow = [idWidth, 'server'.length, 'SHOULD'.length, 20];
  const last = width - narrow.reduce((sum, each) => sum + each + gap.length, 0);
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
  const line = (cells: readonly string[]) => inColumns(cells, [...narrow, last]);
  const lines =
    last < leastStatementWidth
      ? rows.flatMap((row) => stacked(row, width, bold))
      : [bold(line(['ID', 'ROLE', 'LEVEL', 'SECTION', 'STATEMENT']).join()), ...rows.flatMap((row) => line(cellsOf(row)))];
  const counts = ['MUST', 'SHOULD', 'OPEN'].map((level) => `${rows.filter((row) => row.level === level).length} ${level}`);
  return `${[...lines, '', `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${counts.join(', ')}`].join('\n')}\n`;
}

function inColumns(cells: readonly string[], widths: readonly number[]): string[] {
  // A word is never broken, and ids hold no blanks.
  const wrapped = cells.map((cell, column) => wrap(cell, widths[column] as number));
  const line = (at: number) => wrapped.map((cell, column) => (cell[at] ?? '').padEnd(widths[column] as number)).join(gap);
  return Array.from({ length: Math.max(...wrapped.map((cell) => cell.length)) }, (_, at) => line(at).trimEnd());
}

function cellsOf(row: Row): readonly [string, string, string, string, string] {
  return [row.id, row.role, row.level, row.section, row.level === 'OPEN' ? row.question : row.statement];
}

function stacked(row: Row, width: number, bold: (text: string) => string): string[] {
  const [id, role, level, section, statement] = cellsOf(row);
  const below = [`${role}, ${level}, ${section}`, statement].flatMap((text) => wrap(text, width - 2));
  return [bold(id), ...below.map((line) => `  ${line}`), ''];
}

const shownFaults = 3;
const clientEngines: Readonly<Record<string, string>> = { scenarios: 'hydrauth check-client', watch: 'hydrauth watch' };

/** Explains a requirement or an open point. */
export async function explain(args: Args, io: Io): Promise<number> {
  const [id = ''] = args.positionals;
  const { catalogue, clientCatalogue, protocol } = givenSpec(args, io);
  const all = [...catalogue.rows, ...clientCatalogue.rows];
  const row = all.find((each) => each.id === id);
  const fixtures = await import('../../../fixtures/index.js');
  if (row === undefined) {
    const known = all.map((each) => each.id);
    const kind = (['fault', 'variant'] as const).find((each) => fixtures[`${each}s`].some((fixture) => fixture.id === id));
    const more = kind ? ` It is a ${kind}: hydrauth ${kind}s ${id}.` : `${nearWords(id, known)} hydrauth requirements lists all.`;
    throw new CallError(`there is no requirement ${id}.${more}`);
  }
  const rows = row.level === 'OPEN' ? openRows(row) : await requirementRows(row, fixtures.faults);
  const lines = columns([['Section', row.section], ...rows], io.width);
  const script = row.level === 'OPEN' ? [] : exampleScript(row.step, protocol);
  io.out(asStarted(`${[`${row.id}  ${row.level}`, ...lines, ...script].join('\n')}\n`, io));
  return 0;
}

function openRows({ question, answers, reference }: OpenPoint): Rows {
  return [
    ['Question', question],
    ['Answers', answers.join('; ')],
    ['Reference', `${reference.chooses}: ${reference.because}`],
    ['Judged', 'never; the report tells what was observed'],
  ];
}

async function requirementRows({ id, statement, hint, engines, unchecked }: Requirement, faults: readonly Fault[]): Promise<Rows> {
  const { answerLaws, laws } = await import('../../laws/index.js');
  const breaking = faults.filter(({ violates }) => violates.includes(id));
  const own = laws.filter(({ requirement }) => requirement === id).map((law) => law.id);
  const looks = answerLaws.some(({ requirement }) => requirement === id) ? ['every answer of the run'] : [];
  const postman = engines.includes('postman') ? ['the Postman collection'] : [];
  const combined = engines.includes('laws') && own.length + looks.length === 0 ? ['combinations of states and circumstances'] : [];
  const clients = engines.flatMap((engine) => clientEngines[engine] ?? []);
  const by = [...own, ...looks, ...combined, ...postman, ...clients];
  const shown = breaking.slice(0, shownFaults).map((fault) => `--fault ${fault.id}: ${fault.sentence}`);
  const more = breaking.length > shownFaults ? [`hydrauth faults ${id} lists all ${breaking.length}`] : [];
  return [
    ['Says', statement],
    ['Advice', hint],
    ['Checked by', by.length === 0 ? `nothing. ${unchecked ?? ''}`.trim() : by.join(', ')],
    ...[...shown, ...more].map((text, index) => [index === 0 ? 'Broken by' : '', text] as const),
  ];
}

const usesToken: readonly Step[] = ['token', 'expiry'];
const logsIn: readonly Step[] = ['exchange', ...usesToken];

/** The requests of a step with curl, and below each what the protocol answers. */
function exampleScript(step: Step, { headers, challenge, exchange, mediaType }: Protocol): string[] {
  if (step === 'config' || step === 'client') return [];
  const read = 'curl -i "$BASE_URL/$COLLECTION"';
  const answer = (status: number, lines: readonly string[], body: string) =>
    [String(status), `${headers.contentType}: ${mediaType}`, ...lines, body].map((line) => `#  ${line}`);
  const challenged = answer(
    challenge.status,
    [`${headers.authenticate}: ${challenge.authenticate}`, `${headers.nonce}: <nonce>`],
    JSON.stringify(challenge.body),
  );
  const login = `${read} -H "${headers.nonce}: <nonce>" -H "${headers.authorization}: ${challenge.scheme} $(printf %s "$ID:$PARAPHRASE" | base64 | tr -d '\\n')"`;
  const exchanged = answer(exchange.status, [`${headers.token}: <token>`], JSON.stringify(exchange.body));
  const served = answer(200, [], 'the collection');
  const steps = usesToken.includes(step) ? 'Steps A, B and C' : logsIn.includes(step) ? 'Steps A and B' : 'Step A';
  const lines = [
    ...(step === 'off' ? [read, ...served] : [read, ...challenged]),
    ...(logsIn.includes(step) ? [login, ...exchanged] : []),
    ...(usesToken.includes(step) ? [`${read} -H "${headers.token}: <token>"`, ...served] : []),
  ];
  const title = step === 'off' ? 'A read, with authentication switched off:' : `${steps}, when everything is right:`;
  return ['', title, ...lines.map((line) => `  ${line}`)];
}

/** Lists the faults or the variants of the reference server. */
export async function list(kind: 'faults' | 'variants', { positionals: [word = ''] }: Args, io: Io): Promise<number> {
  const fixtures = await import('../../../fixtures/index.js');
  const single = kind.slice(0, -1);
  const all = fixtures[kind].map((each) => {
    const about = 'violates' in each ? each.violates : each.warns;
    return [each.id, about.length === 0 ? each.sentence : `${each.sentence} (${about.join(', ')})`] as const;
  });
  const wanted = new RegExp(`(?<![a-z0-9])${word.replace(/[^a-z0-9 ]/gi, '\\$&')}`, 'i');
  const found = all.filter((row) => word === '' || wanted.test(row.join('\n')));
  if (found.length === 0)
    throw new CallError(`no ${single} has a word that begins with ${JSON.stringify(word)}; hydrauth ${kind} lists all ${all.length}`);
  const lines = columns(found, io.width).join('\n');
  io.out(asStarted(`${lines}\n${found.length} of ${all.length}; hydrauth demo --${single} ID shows the report of one.\n`, io));
  return 0;
}
