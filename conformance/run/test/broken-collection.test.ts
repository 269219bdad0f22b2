import { expect, test, vi } from 'vitest';
import { startReferenceServer } from '../../../reference-server/index.js';
import { exitCode, runConformance } from '../../index.js';
import { terminalReport } from '../../report/index.js';

interface Item {
  readonly id?: string;
  readonly item?: readonly Item[];
  readonly event?: readonly { readonly listen: string; readonly script: object }[];
}

const broken = vi.hoisted(() => ({ lines: [] as string[] }));

/** The collection with other lines in the script after its first request. */
vi.mock(import('../../postman/generate.js'), async (original) => {
  const { postmanCollection, ...others } = await original();
  const breaking = (each: Item): Item => ({
    ...each,
    ...(each.item === undefined ? {} : { item: each.item.map(breaking) }),
    ...(each.id !== 'challenge.first'
      ? {}
      : { event: (each.event ?? []).map((one) => (one.listen === 'test' ? { ...one, script: { exec: broken.lines } } : one)) }),
  });
  return { ...others, postmanCollection: (spec) => breaking(postmanCollection(spec) as Item) as object };
});

test.each([
  ['a script that throws', ["throw new Error('ouch')"]],
  ['a check that throws', ["pm.test('challenge.status: answers 401', () => { throw new Error('the check broke: ouch'); })"]],
])('%s is told as a mistake of the kit, and ends in no verdict', async (_, lines) => {
  broken.lines = lines;
  await using server = await startReferenceServer();
  const options = { baseUrl: server.url, collections: ['books'], users: ['1:correct horse battery staple'], only: ['challenge'], runs: 1 };
  const report = await runConformance(options);
  expect([report.verdict, exitCode(report)]).toEqual(['error', 3]);
  const last = terminalReport(report).trimEnd().split('\n').at(-1);
  expect(last).toMatch(/^No verdict: The Postman collection broke at "A1 [^"]+": .*ouch\. That is a mistake of hydrauth/);
  expect(last).toContain('--engine laws judges without the collection.');
  expect((await runConformance({ ...options, engine: 'laws' })).verdict).toBe('conformant');
});
