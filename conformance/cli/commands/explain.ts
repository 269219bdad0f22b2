import type { OpenPoint, Protocol, Requirement, Step } from '../../../spec/index.js';
import { nearWords } from '../../../spec/nearest.js';
import { CallError, command } from '../command.js';
import { givenSpec } from '../given.js';
import { asStarted } from '../io.js';
import { columns } from '../text.js';

const shownFaults = 3;
const clientEngines: Readonly<Record<string, string>> = { scenarios: 'hydrauth check-client', watch: 'hydrauth watch' };

export const explain = command({
  name: 'explain',
  summary: 'Explain one requirement: what it says, how it is checked, and what breaks it.',
  positionals: [{ name: 'ID', text: 'A requirement or an open point, as reports and hydrauth requirements name it.' }],
  examples: [['hydrauth explain expiry.not-sliding', 'What a report means by it.']],
  exitCodes: { 0: 'Shown.' },
  async run(args, io) {
    const [id = ''] = args.positionals;
    const { catalogue, clientCatalogue, protocol } = await givenSpec(args, io);
    const all = [...catalogue.rows, ...clientCatalogue.rows];
    const row = all.find((each) => each.id === id);
    if (row === undefined) {
      const known = all.map((each) => each.id);
      const more = (await fixtureWords(id)) ?? `${nearWords(id, known)} hydrauth requirements lists all.`;
      throw new CallError(`there is no requirement ${id}.${more}`);
    }
    const rows = row.level === 'OPEN' ? openRows(row) : await requirementRows(row);
    const lines = columns([['Section', row.section], ...rows], io.width);
    const script = row.level === 'OPEN' ? [] : exampleScript(row.step, protocol);
    io.out(asStarted(`${[`${row.id}  ${row.level}`, ...lines, ...script].join('\n')}\n`, io));
    return 0;
  },
});

/** Where to look up an id that is one of a fault or a variant. */
async function fixtureWords(id: string): Promise<string | undefined> {
  const fixtures = await import('../../../fixtures/index.js');
  const kind = (['fault', 'variant'] as const).find((each) => fixtures[`${each}s`].some((fixture) => fixture.id === id));
  return kind && ` It is a ${kind}: hydrauth ${kind}s ${id}.`;
}

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
