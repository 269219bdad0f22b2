import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { startReferenceServer } from '../../../fixtures/reference-server.js';
import type { Answer, Incoming, Parts, RunningServer } from '../../../reference-server/index.js';
import { calling } from './calling.js';

/** What becomes of the request with this number, while others are under way; undefined: what usually does. */
type Manner = (
  at: { readonly number: number; readonly others: number },
  request: Incoming,
  parts: Parts,
) => Answer | 'dropped' | 'left alone' | undefined;

/** A conformant service, apart from its manner and these faults. */
function serviceWith(manner: Manner, ids: readonly string[] = []): Promise<RunningServer> {
  let number = 0;
  const underWay = new Set<Incoming>();
  return startReferenceServer({
    faults: ids,
    parts: ({ guard, ...parts }) => ({
      ...parts,
      guard: {
        ...guard,
        decide(request, all) {
          number += 1;
          const other = manner({ number, others: underWay.size }, request, all);
          if (other === 'left alone') return new Promise(() => {});
          if (other === 'dropped') request.raw.req.socket.destroy();
          else {
            underWay.add(request);
            for (const end of ['finish', 'close']) request.raw.res.once(end, () => underWay.delete(request));
          }
          return other === 'dropped' ? undefined : (other ?? guard.decide(request, all));
        },
      },
    }),
  });
}

/** What a person reads of a run: its exit code, its first finding if any, and its last line. */
async function read(url: string, ...more: string[]) {
  const words = ['check', url, '--collection', 'books', '--user', '1:correct horse battery staple', '--seed', '1', ...more];
  const { code, out } = await calling(words, { columns: 100 });
  return { code, first: /^1\. (\S+)/m.exec(out)?.[1], last: out.trimEnd().split('\n').at(-1) ?? '', lines: out.split('\n').length, out };
}

const known = new WeakSet<object>();
/** Ends after two hundred requests at the first on a connection of its own, which is not sent again; with all connections. */
const dying: Manner = ({ number }, { raw }) => {
  const isFirst = !known.has(raw.req.socket);
  known.add(raw.req.socket);
  if (number < 200 || !isFirst) return undefined;
  const listener = (raw.req.socket as unknown as { server: Server }).server;
  listener.close();
  listener.closeAllConnections();
  return undefined;
};
const limiting: Manner = ({ number }, { base }, parts) =>
  number > 60 ? parts.answers.error(429, base, parts, [['Retry-After', '3600']]) : undefined;
const brokeOff = 'The run broke off: the target stopped answering';
const refused = `${brokeOff} \\(Nothing listens at 127\\.0\\.0\\.1:\\d+: the connection was refused\\.\\)`;
const andViolates = `The most unusual request before it was [^.]+(\\.[^ ]+)*\\. 1 MUST requirement is violated \\(\\d+ tested; \\d+ could not be tested\\)\\.`;

test.each<[string, Manner, readonly string[], number, string | undefined, string]>([
  ['dies in the middle', dying, [], 3, undefined, `No verdict: ${refused}`],
  ['dies in the middle, after a violation', dying, ['challenge-other-text'], 1, 'challenge.body', `Cut short: ${refused} ${andViolates}`],
  [
    'limits rates',
    limiting,
    [],
    3,
    undefined,
    'Incomplete: The target limits rates: [\\d,]+ requests were told to slow down\\. So \\d+ of \\d+ MUST requirements stayed.*Raise the limits of the server for this run, or stay below them with --rate and --concurrency',
  ],
  [
    'drops every connection from some time on',
    ({ number }) => (number > 200 ? 'dropped' : undefined),
    [],
    3,
    undefined,
    `No verdict: ${brokeOff} \\(.*\\) Look for exceptions in the log of the service; if there are none, the server may drop connections under load: try --concurrency 1\\.`,
  ],
])('one that %s: that is the headline, with what to do', async (_, manner, faults, exit, finding, words) => {
  await using server = await serviceWith(manner, faults);
  const { code, first, last, lines } = await read(server.url, ...(manner === dying ? [] : ['--engine', 'laws', '--runs', '1']));
  expect([code, first, last]).toEqual([exit, finding, expect.stringMatching(new RegExp(`^${words}`))]);
  if (last.includes('Nothing listens') && faults.length === 0) expect(lines).toBeLessThan(10);
});

test('a request that is still under way is not waited for when a target is given up', async () => {
  await using server = await serviceWith(({ number }) => (number === 200 ? 'left alone' : number > 200 ? 'dropped' : undefined));
  const { code, last } = await read(server.url, '--engine', 'laws', '--runs', '1', '--timeout', '600000');
  expect([code, last]).toEqual([3, expect.stringContaining('The run broke off: the target stopped answering')]);
}, 30_000);

test('one that drops some connections: nothing is held against it, and the advice stands among the remarks', async () => {
  await using server = await serviceWith(({ number }) => (number > 100 && number <= 120 ? 'dropped' : undefined));
  const { code, first, out } = await read(server.url, '--engine', 'laws', '--runs', '1');
  expect([code, first]).toEqual([0, undefined]);
  expect(out).toMatch(/^Remarks\n +Connections closed without an answer: \d+\. Look for exceptions in the log of the service;/m);
});

test('one that leaves some requests unanswered: nothing is held against it, and the remarks name the plainest of them', async () => {
  await using server = await serviceWith((_, { headers }) => (headers['max-forwards'] === undefined ? undefined : 'left alone'));
  const { code, first, out } = await read(server.url, '--engine', 'laws', '--timeout', '1000', '--only', 'protection.headers');
  expect([code, first]).toEqual([0, undefined]);
  expect(out.replace(/\s+/g, ' ')).toMatch(
    / Remarks \d+ requests? got no whole answer in time, which slows the run down\. The simplest of them was GET \/api\/books with Max-Forwards\. /,
  );
});

test('and that advice helps with one that drops what comes beside others', async () => {
  await using server = await serviceWith(({ others }) => (others > 0 ? 'dropped' : undefined));
  const { code, out } = await read(server.url, '--engine', 'laws', '--concurrency', '1', '--only', 'challenge', 'exchange.status', 'token');
  expect(code).toBe(0);
  expect(out).not.toContain('dropped');
});
