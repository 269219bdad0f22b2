import { spec } from '../../spec/index.js';
import { markdownTable } from '../report/index.js';
import type { Matrix } from './matrix.js';
import type { Row } from './row.js';
import type { Stability, Times } from './stability.js';

/** The page about the self-test, from what it measured. */
export function matrixPage(matrix: Matrix, stability: Stability | undefined): string {
  const { rows, counts, kit } = matrix;
  const judged = spec.catalogue.requirements.filter((row) => row.engines.length > 0);
  const several = judged.filter(({ id }) => rows.filter((row) => row.kind === 'fault' && row.expected.includes(id)).length > 1);
  return `${[
    '# The judge, judged',
    `A conformance suite is believed as far as it is itself tested. \`hydrauth self-test\` tries it on ${counts.faults} broken servers, each one change to the reference server, and on ${counts.variants} conformant servers that differ from the reference server in what the protocol leaves open or HTTP allows. A fault must fail exactly the requirements it names; a variant must fail none.`,
    '![Faults from left to right, requirements from top to bottom](images/self-test.svg)',
    '## What was measured',
    markdownTable(
      ['', ''],
      [
        ['Faults', counts.faults],
        ['Requirements that can be judged', `${judged.length}; ${several.length} of them violated by several faults`],
        ['Violations (a fault and a requirement)', counts.violations],
        ['found by the laws alone', counts.foundBy.laws ?? 'not measured'],
        ['found by the Postman collection alone', counts.foundBy.postman ?? 'not measured'],
        ['Faults missed', counts.missed],
        ['Conformant variants', counts.variants],
        ['Servers accused wrongly, by either engine', counts.alarms],
        ['Requests', counts.requests],
        ['Random cases of each law, seed', `${kit.runs}, ${kit.seed}`],
      ],
    ),
    ...(stability === undefined ? [] : ['## Stability', stabilityText(stability)]),
    '## Faults',
    'Found by laws (L), by the Postman collection (P).',
    markdownTable(
      ['fault', 'what is broken', 'violates', 'found by'],
      rows
        .filter((row) => row.kind === 'fault')
        .map((row) => [`\`${row.id}\``, cellText(row.sentence), row.expected.join('<br>'), foundBy(row)]),
    ),
    '## Variants',
    markdownTable(
      ['variant', 'how it differs', 'warned of, by its nature'],
      rows.filter((row) => row.kind === 'variant').map((row) => [`\`${row.id}\``, cellText(row.sentence), row.expected.join('<br>')]),
    ),
    '## How to repeat it',
    '`npm run self-test` measures everything and takes several minutes; `hydrauth self-test --only ID` tries single faults and variants, and `hydrauth demo --fault ID` shows the report of one. `npx tsx conformance/cli/self-test/stability.ts FILE MATRIX…` sums up several self-tests that were written with `--json`, each with another `--seed`. The normal tests try every fault on the requirements it names, make every law pass in turn to see that a fault is then missed, change every literal of the spec, and judge a sample of the variants. This page and its picture are made from `self-test.json` beside it.',
  ].join('\n\n')}\n`;
}

function stabilityText({ seeds, variants, accused, faults, inexact }: Stability): string {
  const listed = (all: readonly Times[]) => all.map(({ id, times }) => `\`${id}\` (${times})`).join(', ');
  const calm = accused.length === 0 ? 'no false alarm' : `accused wrongly, so many times: ${listed(accused)}`;
  const exact =
    inexact.length === 0
      ? 'each was told exactly every time, with all that it violates and nothing else'
      : `all were told exactly every time, with all that they violate and nothing else, but these, so many times: ${listed(inexact)}`;
  return `${seeds.length} whole self-tests by the laws, with the seeds ${seeds[0]} to ${seeds.at(-1)}. The reference server and ${variants} variants: ${calm}. Of ${faults} faults ${exact}.`;
}

function foundBy({ expected, engines }: Row): string {
  const count = (found: Readonly<Record<string, unknown>> | undefined) => expected.filter((id) => found?.[id] !== undefined).length;
  const part = (letter: string, of: number) =>
    of === 0 ? [] : [of === expected.length ? letter : `${letter} (${of} of ${expected.length})`];
  return [...part('L', count(engines.laws?.found)), ...part('P', count(engines.postman?.found))].join(' ');
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|');
}
