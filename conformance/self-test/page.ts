import { readFileSync } from 'node:fs';
import { packageFile, spec } from '../../spec/index.js';
import { markdownTable } from '../report/index.js';
import { complaint, type Matrix, shareFound } from './matrix.js';
import { isRight, type Row } from './row.js';

const figures = /(?<=<!-- figures -->\n\n)[\s\S]*?(?=\n\n<!-- end of figures -->)/g;

/** A page of docs/ whose figures are replaced, in each of its places by the parts for it. What is written around the figures stays. */
export function withFigures(page: string, ...places: (readonly string[])[]): string {
  return readFileSync(packageFile('docs', page), 'utf8').replace(figures, () => places.shift()?.join('\n\n') ?? '');
}

/** What was measured and is kept in docs/. */
export const measured = <T>(file: string): T => JSON.parse(readFileSync(packageFile('docs', file), 'utf8'));

/** docs/self-test.md, from the files beside it. */
export function selfTestPage(): string {
  const matrix = measured<Matrix>('self-test.json');
  const pairs = measured<Matrix>('self-test-pairs.json');
  return withFigures('self-test.md', matrixFigures(matrix), pairFigures(pairs), ...fixtureTables(matrix));
}

function matrixFigures({ rows, counts, kit }: Pick<Matrix, 'rows' | 'counts' | 'kit'>): string[] {
  const judged = spec.catalogue.requirements.filter((row) => row.engines.length > 0);
  const several = judged.filter(({ id }) => rows.filter((row) => row.kind === 'fault' && row.expected.includes(id)).length > 1);
  return [
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

function fixtureTables({ rows }: Pick<Matrix, 'rows'>): string[][] {
  const cells = ({ id, sentence, expected }: Row) => [`\`${id}\``, sentence.replaceAll('|', '\\|'), expected.join('<br>')];
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const faults = of('fault').map((row) => [...cells(row), foundBy(row)]);
  return [
    [markdownTable(['fault', 'what is broken', 'violates', 'found by'], faults)],
    [markdownTable(['variant', 'how it differs', 'warnings that it must get'], of('variant').map(cells))],
  ];
}

const engineWords = ({ engine }: Matrix['kit']) => (engine === 'all' ? 'both together' : `${engine} alone`);

function foundBy(row: Row): string {
  const part = (letter: string, share = '') => (share === 'all' ? [letter] : share === '' ? [] : [`${letter} (${share})`]);
  return [...part('L', shareFound(row, 'laws')), ...part('P', shareFound(row, 'postman'))].join(' ');
}
