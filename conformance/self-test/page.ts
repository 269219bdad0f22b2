import { spec } from '../../spec/index.js';
import { markdownTable } from '../report/index.js';
import { measured, withFigures } from './docs-page.js';
import type { Matrix } from './matrix.js';
import { matrixPicture } from './picture.js';
import { foundOf, isRight, type Row } from './row.js';
import { complaint } from './table.js';

/** docs/self-test.md, from the files beside it. */
export function selfTestPage(): string {
  const matrix = wholeMatrix();
  const pairs = measured<Matrix>('self-test-pairs.json');
  return withFigures('self-test.md', [
    ...matrixFigures(matrix),
    ...(pairs === undefined ? [] : pairFigures(pairs)),
    ...fixtureTables(matrix),
  ]);
}

export function selfTestPicture(): string {
  return matrixPicture(wholeMatrix());
}

function wholeMatrix(): Matrix {
  return measured<Matrix>('self-test.json') as Matrix;
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
        ['Engines', engineWords(kit.engine)],
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
        ['Engines', engineWords(kit.engine)],
        ['Reported completely', pairs.toldWhole],
        ['Wrongly judged conformant', pairs.endedConformant],
        ['With a wrong requirement reported', pairs.strangersBlamed],
      ],
    ),
    ...(wrong.length === 0 ? [] : [wrong.join('\n')]),
  ];
}

export function fixtureTables({ rows }: Pick<Matrix, 'rows'>): string[] {
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

function engineWords(engine: Matrix['kit']['engine']): string {
  if (engine === undefined) return 'each alone';
  return engine === 'all' ? 'both together' : `${engine} alone`;
}

function foundBy(row: Row): string {
  const part = (letter: string, { length }: readonly string[]) =>
    length === 0 ? [] : [length === row.expected.length ? letter : `${letter} (${length} of ${row.expected.length})`];
  return [...part('L', foundOf(row, 'laws')), ...part('P', foundOf(row, 'postman'))].join(' ');
}
