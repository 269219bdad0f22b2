import type { Catalogue, OpenPoint, Requirement, SourcePoint } from '../catalogue.js';

/** The coverage table: the source text section by section, each point in our words, and the rows that come from it. */
export function coverageText({ sources, rows, requirements, open }: Catalogue): string {
  const musts = requirements.filter(({ level }) => level === 'MUST').length;
  const checked = rows.filter(({ engines }) => engines.length > 0).length;
  const sections = [...new Set(sources.map(({ section }) => section))];
  return `${[
    '<!-- Written by npm run generate from spec/requirements.yaml and conformance/coverage-page.ts. -->',
    '# Coverage',
    '',
    'First the source text and the rows that come from it, then [what is tried](#states) of them and [what a run excludes](#what-a-default-run-covers).',
    '',
    'Every point of the protocol text, section by section and in our words, with the rows of the catalogue that come from it.',
    'A point without a row, and a row without a point, is an error when the spec is loaded.',
    '',
    `${sources.length} points, ${rows.length} rows: ${musts} MUST, ${requirements.length - musts} SHOULD, ${open.length} OPEN. ${checked} rows are checked or observed, ${rows.length - checked} cannot be; [a table](#what-nothing-checks) says why.`,
    ...sections.flatMap((section) => sectionLines(section, sources, rows)),
    '',
    '## What nothing checks',
    '',
    ...table(
      ['row', 'why'],
      rows.filter(({ unchecked }) => unchecked !== undefined).map((row) => [named(row), plain(row.unchecked as string)]),
    ),
  ].join('\n')}\n`;
}

/** The rows of clients: what is required, from which points of the text, and whether a watch can judge it too. */
export function clientCoverageText({ rows, requirements, open }: Catalogue): string {
  const musts = requirements.filter(({ level }) => level === 'MUST').length;
  const cells = rows.map((row) => [
    named(row),
    plain(row.level === 'OPEN' ? row.question : row.statement),
    row.source.join(', '),
    row.engines.join(', '),
  ]);
  return `${[
    '',
    '## Clients',
    '',
    `What is required of a client, and what judges it: the scenarios of \`hydrauth check-client\`, and the watch of \`hydrauth watch\`. ${rows.length} rows: ${musts} MUST, ${requirements.length - musts} SHOULD, ${open.length} OPEN. [Test my client](test-my-client.md) says how.`,
    '',
    ...table(['row', 'says', 'points', 'judged by'], cells),
  ].join('\n')}\n`;
}

function sectionLines(section: string, sources: readonly SourcePoint[], rows: readonly (Requirement | OpenPoint)[]): string[] {
  const points = sources.filter((point) => point.section === section);
  return [
    '',
    `## ${section}`,
    '',
    ...table(
      ['point', 'says', 'rows'],
      points.map(({ point, says }) => [
        point,
        plain(says),
        rows
          .filter(({ source }) => source.includes(point))
          .map(named)
          .join('<br>'),
      ]),
    ),
  ];
}

function named({ id, level }: Requirement | OpenPoint): string {
  return `\`${id}\` ${level}`;
}

/** Angle brackets of the text are no HTML. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}
