import type { OpenPoint, Requirement } from '../../../spec/index.js';
import { CallError, type Command } from '../command.js';
import { didYouMean } from '../nearest.js';
import { columns } from '../text.js';

const shownFaults = 3;

export const explain: Command = {
  name: 'explain',
  summary: 'Explain one requirement: what it says, how it is checked, and what breaks it.',
  positionals: [{ name: 'ID', text: 'A requirement or an open point, as reports and hydrauth requirements name it.' }],
  options: [],
  examples: [{ line: 'hydrauth explain expiry.not-sliding', text: 'What a report means by it.' }],
  exitCodes: [
    { code: 0, text: 'Shown.' },
    { code: 2, text: 'The call is wrong.' },
  ],
  async run({ positionals: [id = ''] }, io) {
    const { spec } = await import('../../../spec/index.js');
    const row = spec.catalogue.rows.find((each) => each.id === id);
    if (row === undefined)
      throw new CallError(
        `there is no requirement ${id}.${didYouMean(
          id,
          spec.catalogue.rows.map((each) => each.id),
        )}`,
      );
    const rows = row.level === 'OPEN' ? openRows(row) : await requirementRows(row);
    const lines = columns([['Section', row.section], ...rows], io.width);
    const { exampleScript, exampleTitle } = await import('../example-script.js');
    const title = row.level === 'OPEN' ? undefined : exampleTitle(row.step);
    const script = title === undefined ? [] : ['', title, ...exampleScript(row.step, spec.protocol)];
    io.out(`${[`${row.id}  ${row.level}`, ...lines, ...script].join('\n')}\n`);
    return 0;
  },
};

type Rows = readonly (readonly [name: string, text: string])[];

function openRows({ question, answers, reference }: OpenPoint): Rows {
  return [
    ['Question', question],
    ['Answers', answers.join('; ')],
    ['Reference', `${reference.chooses}: ${reference.because}`],
    ['Judged', 'never; the report tells what was observed'],
  ];
}

async function requirementRows({ id, statement, hint, engines, unchecked }: Requirement): Promise<Rows> {
  const [{ faults }, { answerLaws, laws }] = await Promise.all([import('../../../fixtures/index.js'), import('../../laws/index.js')]);
  const breaking = faults.filter(({ violates }) => violates.includes(id));
  const own = laws.filter(({ requirement }) => requirement === id).map((law) => law.id);
  const looks = answerLaws.some(({ requirement }) => requirement === id) ? ['every answer of the run'] : [];
  const postman = engines.includes('postman') ? ['the Postman collection'] : [];
  const combined = engines.includes('laws') && own.length + looks.length === 0 ? ['combinations of states and circumstances'] : [];
  const by = [...own, ...looks, ...combined, ...postman];
  const more = breaking.length > shownFaults ? `; hydrauth faults ${id} lists all ${breaking.length}` : '';
  return [
    ['Says', statement],
    ['Advice', hint],
    ['Checked by', by.length === 0 ? `nothing. ${unchecked ?? ''}`.trim() : by.join(', ')],
    ...breaking
      .slice(0, shownFaults)
      .map((fault, index) => [index === 0 ? 'Broken by' : '', `--fault ${fault.id}: ${fault.sentence}`] as const),
    ...(more === '' ? [] : [['', more.slice(2)] as const]),
  ];
}
