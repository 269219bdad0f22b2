import { expect, test, vi } from 'vitest';
import { startReferenceServer } from '../../../reference-server/index.js';
import { exitCode, runConformance } from '../../index.js';
import { terminalReport } from '../../report/index.js';

/** The collection with another function after every request; of two functions of one name the later counts. */
vi.mock(import('../../postman/script.js'), async (original) => {
  const { libraryScript, ...others } = await original();
  const library = () => `function library(pm) { return { before() {}, after() { throw new Error('ouch'); } }; }`;
  return { ...others, libraryScript: (spec) => libraryScript(spec, [library()]) };
});

test('a script that throws is told as a mistake of the kit, and ends in no verdict', async () => {
  await using server = await startReferenceServer();
  const users = ['1:correct horse battery staple'];
  const report = await runConformance({
    baseUrl: server.url,
    collections: ['books'],
    users,
    only: ['challenge.status'],
    engine: 'postman',
  });
  expect([report.verdict, exitCode(report)]).toEqual(['error', 3]);
  const last = terminalReport(report).trimEnd().split('\n').at(-1);
  expect(last).toMatch(/^No verdict: The Postman collection broke at "A1 [^"]+": .*ouch\. This is a bug in hydrauth/);
  expect(last).toContain('--engine laws judges without the collection.');
});
