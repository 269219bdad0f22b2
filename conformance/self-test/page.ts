import { existsSync, readFileSync } from 'node:fs';
import { packageFile, type Requirement, spec } from '../../spec/index.js';
import { html, markdownTable } from '../report/index.js';
import { complaint, type Matrix, shareFound } from './matrix.js';
import { isRight, type Row } from './row.js';

const figures = /(?<=<!-- figures -->\n\n)[\s\S]*?(?=\n\n<!-- end of figures -->)/;

/** A page of docs/ whose figures are replaced by these parts. What is written around the figures stays. */
export function withFigures(page: string, parts: readonly string[]): string {
  return readFileSync(packageFile('docs', page), 'utf8').replace(figures, () => parts.join('\n\n'));
}

/** What was measured and is kept in docs/; undefined where it was not measured yet. */
export function measured<T>(file: string): T | undefined {
  const path = packageFile('docs', file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}

const wholeMatrix = () => measured<Matrix>('self-test.json') as Matrix;

/** docs/self-test.md, from the files beside it. */
export function selfTestPage(): string {
  const matrix = wholeMatrix();
  const pairs = measured<Matrix>('self-test-pairs.json') as Matrix;
  return withFigures('self-test.md', [...matrixFigures(matrix), ...pairFigures(pairs), ...fixtureTables(matrix)]);
}

function matrixFigures({ rows, counts, kit }: Pick<Matrix, 'rows' | 'counts' | 'kit'>): string[] {
  const judged = spec.catalogue.requirements.filter((row) => row.engines.length > 0);
  const several = judged.filter(({ id }) => rows.filter((row) => row.kind === 'fault' && row.expected.includes(id)).length > 1);
  return [
    '## What was measured',
    markdownTable(
      ['', ''],
      [
        ['Faults', counts.faults],
        ['Requirements that can be judged', `${judged.length}; ${several.length} of them violated by several faults`],
        ['Violations (a fault and a requirement)', counts.violations],
        ['found by the laws', counts.foundBy.laws],
        ['found by the Postman collection', counts.foundBy.postman],
        ['Faults missed', counts.missed],
        ['Conformant variants', counts.variants],
        ['Servers accused wrongly, by either engine', counts.alarms],
        ['Requests', counts.requests],
        ['Engines', engineWords(kit)],
        ['Random cases of each law, seed', `${kit.runs}, ${kit.seed}`],
      ],
    ),
  ];
}

export function pairFigures({ rows, counts: { pairs }, kit }: Pick<Matrix, 'rows' | 'counts' | 'kit'>): string[] {
  const wrong = rows.filter((row) => !isRight(row)).map((row) => `- ${complaint(row)}`);
  return [
    '## Pairs',
    'One server with two faults, or with a fault and a variant. Everything that it violates must be reported, and nothing else.',
    markdownTable(
      ['', ''],
      [
        ['Pairs, drawn with seed', `${pairs.drawn}, ${kit.seed}`],
        ['Engines', engineWords(kit)],
        ['Reported completely', pairs.toldWhole],
        ['Wrongly judged conformant', pairs.endedConformant],
        ['With a wrong requirement reported', pairs.strangersBlamed],
      ],
    ),
    ...(wrong.length === 0 ? [] : [wrong.join('\n')]),
  ];
}

function fixtureTables({ rows }: Pick<Matrix, 'rows'>): string[] {
  const cells = ({ id, sentence, expected }: Row) => [`\`${id}\``, sentence.replaceAll('|', '\\|'), expected.join('<br>')];
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  return [
    '## Faults',
    'L: found by the laws. P: found by the Postman collection.',
    markdownTable(
      ['fault', 'what is broken', 'violates', 'found by'],
      of('fault').map((row) => [...cells(row), foundBy(row)]),
    ),
    '## Variants',
    markdownTable(['variant', 'how it differs', 'warnings that it must get'], of('variant').map(cells)),
  ];
}

const engineWords = ({ engine }: Matrix['kit']) => (engine === 'all' ? 'both together' : `${engine} alone`);

function foundBy(row: Row): string {
  const part = (letter: string, share = '') => (share === 'all' ? [letter] : share === '' ? [] : [`${letter} (${share})`]);
  return [...part('L', shareFound(row, 'laws')), ...part('P', shareFound(row, 'postman'))].join(' ');
}

const cell = 6;
const line = 13;
const left = 250;
const top = 64;
const marks = {
  both: ['#1a7f5a', 'found by both engines'],
  laws: ['#2f6fb3', 'found by laws'],
  postman: ['#b8860b', 'found by Postman'],
  missed: ['#c62f2f', 'missed'],
  alarm: ['#000000', 'accused wrongly'],
} as const;

/** Faults from left to right, requirements from top to bottom; a mark where a fault violates a requirement, coloured by who found it. */
export function selfTestPicture(): string {
  const { rows, counts } = wholeMatrix();
  const faults = rows.filter((row) => row.kind === 'fault');
  const requirements = spec.catalogue.requirements.filter((row) => row.engines.length > 0);
  const width = left + faults.length * cell + 12;
  const height = top + requirements.length * line + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="10" role="img" aria-label="Faults against requirements">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="12" y="20" font-size="14" font-weight="600">${counts.faults} faults against ${requirements.length} requirements</text>`,
    ...Object.values(marks).map(
      ([colour, text], index) =>
        `<rect x="${12 + index * 150}" y="34" width="10" height="10" fill="${colour}"/><text x="${28 + index * 150}" y="43">${text}</text>`,
    ),
    ...requirements.map((requirement, at) => label(requirement, at, width)),
    ...faults.flatMap((fault, column) => requirements.flatMap(({ id }, at) => cellOf(fault, column, id, at))),
    '</svg>',
    '',
  ].join('\n');
}

function label({ id, level }: Requirement, at: number, width: number): string {
  const y = top + at * line;
  const stripe = at % 2 === 0 ? `<rect x="0" y="${y}" width="${width}" height="${line}" fill="#f3f4f6"/>` : '';
  return `${stripe}<text x="12" y="${y + 10}" fill="${level === 'MUST' ? '#111111' : '#6b7280'}">${id}</text>`;
}

function cellOf(fault: Row, column: number, requirement: string, at: number): string[] {
  const mark = markOf(fault, requirement);
  if (mark === undefined) return [];
  const place = `x="${left + column * cell}" y="${top + at * line + 2}" width="${cell - 1}" height="${line - 4}"`;
  return [`<rect ${place} fill="${marks[mark][0]}"><title>${html(`${fault.id}: ${fault.sentence} (${requirement})`)}</title></rect>`];
}

function markOf({ expected, examination, alarms }: Row, requirement: string): keyof typeof marks | undefined {
  if (alarms.some((alarm) => alarm.requirement === requirement)) return 'alarm';
  if (!expected.includes(requirement)) return undefined;
  const by = examination?.found[requirement];
  if (by === undefined) return 'missed';
  return by.laws === undefined ? 'postman' : by.postman === undefined ? 'laws' : 'both';
}
