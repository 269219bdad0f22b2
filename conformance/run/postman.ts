import { startBridge } from '../clock/index.js';
import type { Finding } from '../finding.js';
import type { RunOptions } from '../options.js';
import type { NewmanProcess, PostmanInput, PostmanResult } from '../postman/index.js';
import { type Subject, tokenOf } from '../subject/index.js';
import { isClockMove } from '../wire/exchange.js';
import type { Found } from './phases.js';
import type { OpenTarget } from './target.js';

/** The second engine: beside the laws where it leaves the clock alone, and by itself where it moves it. */
export interface PostmanRun {
  /** Waits for what was begun beside the laws. */
  beforeClock(): Promise<Found>;
  /** Runs what moves the clock. */
  atClock(): Promise<Found>;
  requests(): number;
}

/** Begins to load Newman, which takes longer than much of a run; undefined where it is not needed. */
export function loadNewman({ engines }: RunOptions): Promise<NewmanProcess> | undefined {
  return engines.includes('postman') ? import('../postman/index.js').then(({ openNewman }) => openNewman()) : undefined;
}

const nothing: Found = { findings: [], observations: [] };

export function startPostman(
  options: RunOptions,
  subject: OpenTarget,
  selected: ReadonlySet<string>,
  signal: AbortSignal | undefined,
  newman: Promise<NewmanProcess> | undefined,
): PostmanRun {
  const user = subject.ableUsers.find(({ paraphrase }) => /^[ -~]*$/.test(paraphrase)) ?? subject.ableUsers[0] ?? options.users[0];
  if (!options.engines.includes('postman') || user === undefined)
    return { beforeClock: async () => nothing, atClock: async () => nothing, requests: () => 0 };
  let requests = 0;
  const run = async (part: PostmanInput['part'], clockUrl?: string): Promise<Found> => {
    const { runPostman } = await import('../postman/index.js');
    const result = await runPostman({
      spec: options.spec,
      baseUrl: options.baseUrl.href.replace(/\/$/, ''),
      collection: options.collections[0],
      user,
      part,
      timeoutMs: options.timeoutMs,
      insecure: options.insecure,
      keepAlive: subject.facts.oneConnection === undefined,
      selected: (id) => selected.has(id),
      ...(newman === undefined ? {} : { newman: await newman }),
      ...(clockUrl === undefined ? {} : { clockUrl }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      signal: signal === undefined ? subject.givenUp : AbortSignal.any([signal, subject.givenUp]),
    });
    requests += result.requests;
    keepSecrets(result, subject);
    return { findings: result.findings.map((finding) => explained(finding, subject)), observations: [] };
  };
  const beside = run('before-clock');
  // It is awaited later; until then a rejection must not count as unhandled.
  beside.catch(() => {});
  return {
    beforeClock: () => beside,
    async atClock() {
      const { clock } = subject;
      if (!clock.canMove || clock.kind === 'wait') return run('clock');
      const bridge = await startBridge(clock);
      return run('clock', bridge.url).finally(() => bridge.close());
    },
    requests: () => requests,
  };
}

/** Where no given user can log in, the collection sees refusals that say nothing of the target. */
function explained(finding: Finding, { facts }: Subject): Finding {
  if (finding.outcome !== 'fail' || facts.loginRefused === undefined || !/^(exchange|token|expiry)\./.test(finding.requirement))
    return finding;
  const { requirement, check, engine } = finding;
  return { requirement, check, engine, outcome: 'untested', message: facts.loginRefused };
}

function keepSecrets({ findings }: PostmanResult, subject: Subject): void {
  for (const link of findings.flatMap((finding) => finding.chain ?? [])) {
    const token = isClockMove(link) || link.answer === undefined ? undefined : tokenOf(link.answer, subject.protocol);
    if (token !== undefined) subject.redactor.secret(token, 'token');
  }
}
