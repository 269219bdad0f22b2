import type { Catalogue, OpenPoint, Requirement, SourcePoint } from '../catalogue.js';

/** The coverage table: the source text section by section, each point in our words, and the rows that come from it. */
export function coverageText({ sources, rows, requirements, open }: Catalogue): string {
  const musts = requirements.filter(({ level }) => level === 'MUST').length;
  const checked = rows.filter(({ engines }) => engines.length > 0).length;
  const sections = [...new Set(sources.map(({ section }) => section))];
  return `${[
    `${sources.length} points, ${rows.length} requirements: ${musts} MUST, ${requirements.length - musts} SHOULD, ${open.length} OPEN. ${checked} are tested or observed. [A table](#what-nothing-checks) says why the other ${rows.length - checked} are not.`,
    ...sections.flatMap((section) => sectionLines(section, sources, rows)),
    '',
    '## What nothing checks',
    '',
    ...table(
      ['requirement', 'why'],
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
    `What a client must do. \`hydrauth check-client\` tests all of it in scenarios. \`hydrauth watch\` tests what any traffic can show. ${rows.length} requirements: ${musts} MUST, ${requirements.length - musts} SHOULD, ${open.length} OPEN. How to run it: [Test my client](test-my-client.md).`,
    '',
    ...table(['requirement', 'says', 'points', 'tested by'], cells),
  ].join('\n')}\n`;
}

function sectionLines(section: string, sources: readonly SourcePoint[], rows: readonly (Requirement | OpenPoint)[]): string[] {
  const points = sources.filter((point) => point.section === section);
  return [
    '',
    `## ${section}`,
    '',
    ...table(
      ['point', 'says', 'requirements'],
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
