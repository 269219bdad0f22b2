import { history } from '../../conformance/history/index.js';
import type { ConformanceOptions } from '../../conformance/index.js';
import { answerLaws, laws } from '../../conformance/laws/index.js';
import { observers } from '../../conformance/observe/index.js';
import type { Bench } from '../bench.js';
import { byTurns, quotients, summarize } from '../figures.js';
import type { Work, Worked } from '../load.js';
import { collections, users } from '../users.js';

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
export async function measureRate({ add, rounds, quick, serve, loader, log }: Bench): Promise<void> {
  log('lawsRequestRateVsRawClient');
  const { url } = (await serve('reference', { clock: 'manual' })).ready;
  const judging: ConformanceOptions = {
    ...{ baseUrl: url, collections, engine: 'laws', concurrency, skip: lateRows() },
    users: users.map(({ id, paraphrase }) => `${id}:${paraphrase}`),
  };
  const [judge, loop] = [await loader(), await loader()];
  // A law tries a tenth of them.
  const runs = quick ? 300 : 2000;
  const lawsOf = (runs: number) => judge.ask<Worked>({ judge: { ...judging, runs } } satisfies Work);
  const works = {
    laws: () => lawsOf(runs),
    loop: () => loop.ask<Worked>({ loop: { url: `${url}/books`, concurrency, seconds: quick ? 0.5 : 2 } } satisfies Work),
  };
  // In a long run all that is done often has been compiled.
  await lawsOf(runs * 4);
  await works.loop();
  const worked = await byTurns(rounds * 2 + 1, works);
  const rate = (side: keyof typeof works) => worked[side].map(({ requests, seconds }) => requests / seconds);
  const cpuMs = (side: keyof typeof works) => summarize(worked[side].map(({ requests, cpuSeconds }) => (cpuSeconds * 1000) / requests));
  const raw = { perSecond: [summarize(rate('laws')), summarize(rate('loop'))], cpuMs: [cpuMs('laws'), cpuMs('loop')] };
  add('lawsRequestRateVsRawClient', quotients(rate('laws'), rate('loop')), raw);
}
