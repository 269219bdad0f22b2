import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calling } from '../../cli/test/calling.js';
import { defaults, fleet, fleetFile, folder, serve, serveWithClock, silent } from './serving.js';

const [good, bad] = [await serve(), await serve('challenge-other-text')];
const at = (name: string) => join(folder, name);
const judge = (services: Readonly<Record<string, string | object>>, ...words: string[]) => {
  const all = Object.entries(services).map(([name, of]) => ({ name, ...(typeof of === 'string' ? { url: of } : of) }));
  return fleet(fleetFile(all), 'kept', '--history', at('runs'), ...words);
};
/** Keeps the last run once more, in a history of its own, with this changed. */
const keptAgain = (name: string, change: (run: { ids: string[]; services: { same: { outcomes: string } } }) => object = () => ({})) => {
  const [file] = readdirSync(at('runs')).sort().slice(-1) as [string];
  const run = JSON.parse(readFileSync(join(at('runs'), file), 'utf8'));
  mkdirSync(at(name), { recursive: true });
  writeFileSync(join(at(name), file), JSON.stringify({ ...run, ...change(run) }));
  return ['--history', at(name)];
};
/** The lines of a section of what was printed. */
const section = (out: string, title: string) => new RegExp(`^${title}.*\\n((?: {2}.*\\n)*)`, 'm').exec(out)?.[1]?.match(/\S.*/g) ?? [];

test('two runs with a mend and a regression between them tell both and nothing else', async () => {
  const first = await judge({ same: good, mended: bad, broken: good, removed: bad });
  expect([first.code, section(first.out, 'Since the last run')]).toEqual([1, ['There is nothing to compare with.']]);
  const baseline = ['--history', at('first'), '--fail-on', 'regression'] as const;
  const begun = await fleet(fleetFile([{ name: 'a', url: bad }]), 'begun', ...baseline);
  expect(begun.code).toBe(0);
  expect(begun.out).toContain('This is the first run in the history: nothing to compare with. 1 of these services fails: a.');
  const both = fleetFile([
    { name: 'a', url: bad },
    { name: 'b', url: await silent(), deadline: '1s' },
  ]);
  const added = await fleet(both, 'begun', ...baseline);
  expect([added.code, added.out]).toEqual([3, expect.stringContaining('1 service could not be compared. Exit code 3 because of b.')]);
  const again = await fleet(both, 'begun', ...baseline);
  const last = 'Nothing got worse. Still failing: a. 1 service could not be compared. Exit code 3 because of b.\n';
  expect([again.code, again.out.slice(-last.length)]).toEqual([3, last]);
  expect(section(again.out, 'Since the last run')).toEqual(['b has no verdict, and had none in the last run.']);
  const second = await judge({ same: good, mended: good, broken: bad, added: bad }, '--fail-on', 'regression');
  const changes = [
    'added is new.',
    'Worse: broken: challenge.body was passed, now failed.',
    'mended: challenge.body was failed, now passed.',
    'removed is no longer in the fleet.',
  ];
  expect([second.code, section(second.out, 'Since the last run')]).toEqual([1, changes]);
  expect(second.out).toContain('Exit code 1 because of broken.');
  const third = await judge({ same: good, mended: good, broken: bad, added: bad }, '--fail-on', 'regression');
  expect([third.code, section(third.out, 'Since the last run')]).toEqual([0, ['Nothing changed.']]);
  expect(third.out).toMatch(/ Nothing got worse\. Still failing: added, broken\.\n$/);
  const [, before] = readdirSync(at('runs')).sort();
  const { startedAt } = JSON.parse(readFileSync(join(at('runs'), before as string), 'utf8'));
  expect(section(third.out, 'Failing')).toContain(`broken: challenge.body since ${startedAt}`);
  expect(section(third.out, 'Trend').map((line) => line.slice(26))).toEqual(
    ['2 of 4', '2 of 4', '2 of 4'].map((many) => `${many} services passed`),
  );
  for (const file of ['index.html', 'fleet.md']) expect(third.text(file)).toContain('Since the last run');
});

test('a lost verdict, a MUST that is no longer tested and a part of the fleet', async () => {
  const { clock, ...fewer } = { ...(await serveWithClock()), only: [...defaults.only, 'expiry.refused-after'], budget: 300 };
  const both = { same: good, fewer: { ...fewer, clock } };
  await judge(both);
  const lost = await judge({ ...both, same: { url: await silent(), deadline: '1s' } }, '--fail-on', 'regression', '--only', 'same');
  expect(section(lost.out, 'Since the last run')).toEqual([
    'Worse: same lost its verdict. The target cannot be judged: no answer came. The deadline of 1s passed.',
  ]);
  const kept = readdirSync(at('runs')).length;
  const dropped = await judge({ ...both, fewer }, '--fail-on', 'regression');
  expect(section(dropped.out, 'Since the last run')).toEqual(['Worse: fewer: expiry.refused-after was passed, now untested.']);
  await judge(both);
  const leftOut = await judge({ ...both, fewer: { ...both.fewer, only: defaults.only } }, '--fail-on', 'regression');
  expect(section(leftOut.out, 'Since the last run')).toEqual(['Worse: fewer: expiry.refused-after was judged, now it is left out.']);
  expect([lost.code, dropped.code, leftOut.code, readdirSync(at('runs')).length]).toEqual([3, 1, 1, kept + 3]);
});

test('a changed catalogue is told as such and is no regression', async () => {
  const history = keptAgain('other', () => ({ catalogue: 'another' }));
  const { code, out } = await fleet(fleetFile([{ name: 'same', url: bad }]), 'kept', ...history, '--fail-on', 'regression');
  expect([code, section(out, 'Since the last run')]).toEqual([0, ['The catalogue of requirements changed, so no results are compared.']]);
});

test('shards that are merged equal the whole', async () => {
  const services = ['a', 'b', 'c'].map((name, index) => ({ name, url: index === 2 ? bad : good, tags: [name] }));
  const file = fleetFile(services, 'sharded.json');
  const whole = await fleet(file, 'whole');
  for (const index of [1, 2, 3]) await fleet(file, `part-${index}`, '--shard', `${index}/3`);
  const parts = [3, 1, 2].map((index) => at(`part-${index}`));
  const merged = await calling(['merge', ...parts, '--output', at('merged')]);
  expect([whole.code, merged.code]).toEqual([1, 1]);
  const plain = (text: string) =>
    text.replace(
      /"?\d{4}-\d\d-\d\dT[\d:.]+Z?"?|"(durationMs|duration|start|stop|connection|requests|depth)": \d+|time="[\d.]+"|[\d.,]+ m?s\b|[\d,]+ requests, [^"]+/g,
      '',
    );
  for (const name of ['fleet.json', 'fleet.md', 'junit.xml', 'ctrf.json', 'index.html', 'c/badge.json'])
    expect(plain(readFileSync(join(at('merged'), name), 'utf8'))).toBe(plain(whole.text(name)));
  const refused = async (...words: string[]) => {
    const { code, err } = await calling(['merge', ...words]);
    return `${code} ${err}`;
  };
  expect(await refused(...parts.slice(1), '--output', at('never'))).toMatch(/^2 .*shard 3\/3 is missing/);
  expect(await refused(...parts, at('part-1'), '--output', at('never'))).toMatch(/^2 .*service \w is in .*part-1, too/);
  symlinkSync('part-1', at('linked'));
  for (const name of ['part-1', 'linked'])
    expect(await refused(...parts, '--output', at(name))).toMatch(/^2 .*is one of the folders to merge/);
  const run = JSON.parse(whole.text('fleet.json'));
  mkdirSync(at('forged-part'));
  for (const forged of [{ seed: '<script>' }, { startedAt: '../x' }, { services: [{ ...run.services[0], name: '../outside' }] }]) {
    writeFileSync(join(at('forged-part'), 'fleet.json'), JSON.stringify({ ...run, ...forged }));
    expect(await refused(at('forged-part'), '--output', at('never'))).toMatch(/^2 .*the folder of a run is expected/);
  }
  writeFileSync(join(at('forged-part'), 'fleet.json'), JSON.stringify({ ...run, kit: { version: { toString: 1 } } }));
  expect(await refused(at('forged-part'), '--output', at('never'))).toMatch(/^2 .*only parts of one run can be merged/);
  expect([existsSync(at('never')), existsSync(join(at('part-1'), 'fleet.json'))]).toEqual([false, true]);
  // A run of the future would be the last one that all others are compared with.
  for (const startedAt of ['9999-01-01T00:00:00Z', '9999-01-01\n00:00:00Z', '9998-12-31T23:59:60Z']) {
    writeFileSync(join(at('whole'), 'fleet.json'), JSON.stringify({ ...run, startedAt }));
    expect((await calling(['merge', at('whole'), '--output', at('future'), '--history', at('futures')])).code).toBe(1);
  }
  expect(readdirSync(at('futures')).filter((name) => !(name < new Date().toISOString() && name.includes('T')))).toEqual([]);
});

test('a history that somebody else wrote, and a service with the name of what every object has', async () => {
  const strange = fleetFile([{ name: 'constructor', url: bad }]);
  const { out } = await fleet(strange, 'strange-run', ...keptAgain('known'));
  expect(section(out, 'Since the last run')).toContain('constructor is new.');
  for (const forged of [
    () => ({ services: null }),
    () => ({ startedAt: '<b>' }),
    () => ({ format: { valueOf: 1, toString: 1 } }),
    ({ services }: { services: { same: object } }) => ({ services: { '\u001b[2J': services.same } }),
  ]) {
    const { code, err } = await fleet(strange, 'never', ...keptAgain('strange', forged));
    expect([code, err]).toEqual([2, expect.stringContaining('not complete; a run that hydrauth fleet --history kept is expected')]);
  }
  const ids = ({ ids: known }: { readonly ids: readonly string[] }) => ({ ids: known.map((id) => `${id}-forged`) });
  const unknown = await fleet(fleetFile([{ name: 'same', url: bad }]), 'strange-run', ...keptAgain('unknown', ids));
  expect([unknown.code, unknown.err]).toEqual([1, '']);
});

test('shards take about as long as each other, by the history', async () => {
  const took = Object.entries({ long: 4000, a: 2000, b: 1000, c: 1000 });
  const history = keptAgain('weights', ({ services: { same } }) => ({
    services: Object.fromEntries(took.map(([name, durationMs]) => [name, { ...same, durationMs }])),
  }));
  const names = took.map(([name]) => ({ name, url: good }));
  const { out } = await fleet(fleetFile(names), 'light', '--shard', '1/2', ...history);
  expect(out).toContain('1 service (shard 1/2): 1 conformant in part.\n');
});

test.each([
  [
    'a history of a newer version',
    ['--history', 'newer'],
    /2030.*\.json: a newer version of hydrauth wrote it \(format 2\); this one reads format 1/,
  ],
  ['a history that links to itself', ['--history', 'loop'], /loop: cannot be read \(ELOOP\); a folder is expected/],
  ['regressions without a history', ['--fail-on', 'regression'], /--fail-on regression needs --history DIR/],
  ['a shard that is none', ['--shard', '4/3'], /--shard is 4\/3; I\/N is expected/],
])('%s is a wrong call, and nothing is written', async (_, words, message) => {
  mkdirSync(at('newer'), { recursive: true });
  if (!readdirSync(folder).includes('loop')) symlinkSync('loop', at('loop'));
  writeFileSync(join(at('newer'), '2030-01-01T00-00-00.000Z-x.json'), '{"format": 2}');
  const given = words.map((word) => (/^(newer|loop)$/.test(word) ? at(word) : word));
  const { code, err } = await fleet(fleetFile([{ name: 'a', url: good }], 'fleet.json', defaults), 'never', ...given);
  expect([code, err, existsSync(at('never'))]).toEqual([2, expect.stringMatching(message), false]);
});
