import { history } from '../../conformance/history/index.js';
import type * as Conformance from '../../conformance/index.js';
import { answerLaws, laws } from '../../conformance/laws/index.js';
import { observers } from '../../conformance/observe/index.js';
import { authorizationOf, type Bench, collections, users } from '../bench.js';
import { byTurns, figure, quotients, summarize } from '../figures.js';
import type { HttpLoop, Worked } from '../load/loops.js';

const concurrency = 16;

/** Requirements with laws that wait for one another on purpose: histories, wrong credentials and whatever moves the clock. */
function lateRows(): string[] {
  const isLate = ({ phase }: { readonly phase: string }) => phase !== 'plain';
  const late = [
    ...[...laws, history, ...observers].filter(isLate),
    ...answerLaws.filter(({ roles }) => roles.every((role) => role === 'refused-credentials' || role === 'refused-expired')),
  ];
  return [...new Set(late.map(({ requirement }) => requirement))];
}

/** How many requests a second the laws get through in a long run, against a loop that judges nothing. */
export async function measureRate(bench: Bench): Promise<void> {
  const { figures, rounds, quick, spec } = bench;
  bench.log('lawsRequestRateVsRawClient');
  const server = await bench.start<{ url: string }>('servers/reference.ts', { clock: 'manual' });
  const { url } = server.ready;
  // A law tries a tenth of them.
  const runs = quick ? 300 : 2000;
  const judging: Conformance.ConformanceOptions = {
    ...{ baseUrl: url, collections, engine: 'laws', concurrency, skip: lateRows() },
    users: users.map(({ id, paraphrase }) => `${id}:${paraphrase}`),
  };
  const names = spec.protocol.headers;
  const headers = { [names.authorization]: authorizationOf(spec) };
  const looping: HttpLoop = { url: `${url}/books`, concurrency, seconds: quick ? 0.5 : 2, headers, names };
  const [judge, loop] = [await bench.start<object>('load/loops.ts'), await bench.start<object>('load/loops.ts')];
  const works = {
    laws: () => judge.ask<Worked>({ judging: { ...judging, runs } }),
    loop: () => loop.ask<Worked>({ looping }),
  };
  // In a long run all that is done often has been compiled.
  await judge.ask<Worked>({ judging: { ...judging, runs: runs * 4 } });
  await works.loop();
  const worked = await byTurns(rounds * 2 + 1, works);
  const rate = (side: keyof typeof works) => worked[side].map(({ requests, seconds }) => requests / seconds);
  const cpuMs = (side: keyof typeof works) => summarize(worked[side].map(({ requests, cpuSeconds }) => (cpuSeconds * 1000) / requests));
  figures.push(
    figure('lawsRequestRateVsRawClient', 'requests a second of the laws against a node:http loop', quotients(rate('laws'), rate('loop')), {
      goal: { atLeast: 0.5 },
      raw: { perSecond: [summarize(rate('laws')), summarize(rate('loop'))], cpuMs: [cpuMs('laws'), cpuMs('loop')] },
    }),
  );
}
