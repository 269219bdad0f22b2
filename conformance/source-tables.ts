import { type Catalogue, type OpenPoint, type Requirement, spec } from '../spec/index.js';
import { markdownTable } from './report/index.js';

/** The first part of docs/coverage.md: the source text section by section, each point in our words, and the rows that come from it. */
export function sourceTables(): string[] {
  const { sources, rows } = spec.catalogue;
  const unchecked = rows.filter((row) => row.unchecked !== undefined);
  const checked = rows.filter(({ engines }) => engines.length > 0).length;
  return [
    `${sources.length} points, ${rows.length} requirements: ${levels(spec.catalogue)}. ${checked} are tested or observed. [A table](#what-nothing-checks) says why the other ${rows.length - checked} are not.`,
    ...[...new Set(sources.map(({ section }) => section))].flatMap((section) => {
      const points = sources.filter((point) => point.section === section);
      const from = (point: string) => rows.filter(({ source }) => source.includes(point)).map(named);
      const cells = points.map(({ point, says }) => [point, plain(says), from(point).join('<br>')]);
      return [`## ${section}`, markdownTable(['point', 'says', 'requirements'], cells)];
    }),
    '## What nothing checks',
    markdownTable(
      ['requirement', 'why'],
      unchecked.map((row) => [named(row), plain(row.unchecked ?? '')]),
    ),
  ];
}

/** The last part: what is required of clients, from which points of the text, and whether a watch can judge it too. */
export function clientTables(): string[] {
  const { rows } = spec.clientCatalogue;
  const said = (row: Requirement | OpenPoint) => plain(row.level === 'OPEN' ? row.question : row.statement);
  const cells = rows.map((row) => [named(row), said(row), row.source.join(', '), row.engines.join(', ')]);
  return [
    '## Clients',
    `What a client must do. \`hydrauth check-client\` tests all of it in scenarios. \`hydrauth watch\` tests what any traffic can show. ${rows.length} requirements: ${levels(spec.clientCatalogue)}. How to run it: [Test my client](test-my-client.md).`,
    markdownTable(['requirement', 'says', 'points', 'tested by'], cells),
  ];
}

function levels({ requirements, open }: Catalogue): string {
  const musts = requirements.filter(({ level }) => level === 'MUST').length;
  return `${musts} MUST, ${requirements.length - musts} SHOULD, ${open.length} OPEN`;
}

const named = ({ id, level }: Requirement | OpenPoint) => `\`${id}\` ${level}`;

/** Angle brackets of the text are no HTML, and bars end no cell. */
const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|');
