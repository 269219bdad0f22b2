import { OptionError, type Step } from '../../spec/index.js';
import { startBridge } from '../clock/index.js';
import { tokenOf } from '../expect/index.js';
import { type Finding, lastOf, present, sentence, untested } from '../finding.js';
import type { RunOptions } from '../options.js';
import { deferred } from '../parallel.js';
import { howToGetNewman, isNewmanInstalled, type NewmanProcess, openNewman, type PostmanResult, runPostman } from '../postman/index.js';
import type { Subject } from '../subject/index.js';
import { fromTarget, headerValues } from '../wire/index.js';
import type { OpenTarget } from './target.js';

/** The engines of a run, and what is told when one of them is not there. */
export function enginesOf(engine: 'all' | 'laws' | 'postman', auth: 'on' | 'off'): Pick<RunOptions, 'engines' | 'notRun'> {
  // The collection shows the three steps; with authentication off there are none.
  if (engine === 'laws' || (engine === 'all' && auth === 'off')) return { engines: ['laws'] };
  if (isNewmanInstalled()) return { engines: engine === 'all' ? ['laws', 'postman'] : ['postman'] };
  if (engine === 'postman')
    throw new OptionError('engine', `Newman, which runs the Postman collection, is not installed: ${howToGetNewman}`);
  return {
    engines: ['laws'],
    notRun: `The Postman collection was not run because Newman is not installed. To run it as well: ${howToGetNewman}`,
  };
}

/** Begins to load Newman, which takes longer than much of a run; undefined where it is not needed. */
export function loadNewman({ engines }: RunOptions): NewmanProcess | undefined {
  return engines.includes('postman') ? openNewman() : undefined;
}

/**
 * Prepares the second engine, without a request to the target: it runs beside or after the laws that leave the clock alone, and once more
 * after those that move it. Undefined where it is not asked for.
 */
export function startPostman(
  options: RunOptions,
  subject: OpenTarget,
  selected: ReadonlySet<string>,
  signals: readonly AbortSignal[],
  newman: NewmanProcess | undefined,
) {
  // The laws log in as the first one.
  const [first, ...others] = subject.ableUsers;
  const user = [...others, ...subject.ableUsers].find(({ paraphrase }) => /^[ -~]*$/.test(paraphrase)) ?? first ?? options.users[0];
  if (!options.engines.includes('postman') || user === undefined) return undefined;
  const { facts, client, oracle, clock } = subject;
  const { spec, baseUrl, timeoutMs, insecure, headers, ca } = options;
  const isApart =
    user !== first &&
    facts.loginsEnd === undefined &&
    facts.oneAtATime === undefined &&
    facts.oneConnection === undefined &&
    client.pace.perSecond === undefined;
  let requests = 0;
  let broken: string | undefined;
  const run = async (clockUrl?: string): Promise<PostmanResult> => {
    const { perSecond } = client.pace;
    const result = await runPostman({
      spec,
      baseUrl: baseUrl.href.replace(/\/$/, ''),
      collection: subject.collections[0],
      user,
      timeoutMs,
      insecure,
      headers,
      keepAlive: facts.oneConnection === undefined && facts.connectionsRemember === undefined,
      apartMs: perSecond === undefined ? 0 : 1000 / perSecond,
      selected: (id) => selected.has(id),
      ...present({ newman, clockUrl, ca }),
      signal: AbortSignal.any([...signals, subject.patience.signal]),
    });
    requests += result.exchanges.length;
    broken = result.broken;
    // A target may tell anywhere what it gave to the collection.
    for (const { answer } of result.exchanges) {
      const token = answer && tokenOf(answer, subject.protocol);
      if (token !== undefined) subject.redactor.token(token);
    }
    return result;
  };
  const hear = ({ exchanges }: PostmanResult, isHeld: boolean): void => {
    for (const exchange of exchanges) {
      subject.recorder?.note(exchange, { engine: 'postman', ...(isHeld ? {} : { unheld: true }) });
      oracle.end(oracle.begin(exchange.request), exchange, isHeld);
    }
  };
  // The collection reads the clock before anything else that has to do with it, and the answer waits until the laws have no more use for
  // the clock. So Newman is begun once instead of twice.
  const reached = deferred();
  const opened = deferred();
  const now = async () => {
    reached.resolve();
    await opened.promise;
    return clock.now();
  };
  const start = async () => {
    if (!clock.isInstant) return run();
    const bridge = await startBridge({ ...clock, now });
    return run(bridge.url).finally(() => bridge.close());
  };
  let running: Promise<PostmanResult> | undefined;
  return {
    /** It has an account of its own, and may run beside the laws. */
    isApart,
    /** Lets it send its first request. Waits until all that leaves the clock alone is done. */
    async beforeClock(): Promise<void> {
      if (!isApart) client.rest();
      running = start();
      // It is awaited later; until then a rejection must not count as unhandled.
      running.catch(() => {});
      await (clock.isInstant ? Promise.race([reached.promise, running]) : running);
    },
    /** Lets it do what moves the clock, and gives all that it found. What failed beside the laws is tried once more alone. */
    async atClock(): Promise<Finding[]> {
      client.rest();
      opened.resolve();
      const first = await running;
      if (first === undefined) return [];
      const failed = failuresOf(first);
      const isSure = !isApart || failed.length === 0 || signals.some(({ aborted }) => aborted);
      const result = isSure ? first : await start();
      // What the collection met beside the laws is told by its own checks alone.
      if (!isSure) hear(first, false);
      hear(result, true);
      const findings = isSure ? result.findings : withOnce(failed, result);
      return findings.map((finding) => unlessMisled(finding, subject));
    },
    requests: () => requests,
    /** What broke in the collection itself, as a sentence. */
    broken: () =>
      broken === undefined
        ? undefined
        : `The Postman collection broke ${fromTarget(sentence(broken))} This is a bug in hydrauth and says nothing about the server; please report it. --engine laws judges without the collection.`,
  };
}

const failuresOf = ({ findings }: PostmanResult) => findings.filter(({ outcome }) => outcome === 'fail');

/** What failed beside the laws and not alone may be due to their requests. What somebody was given counts once. */
function withOnce(failed: readonly Finding[], again: PostmanResult): Finding[] {
  const still = new Set(failuresOf(again).map(({ check }) => check));
  const once = new Map(failed.filter(({ check }) => !still.has(check)).map((each) => [each.check, each]));
  return [
    ...again.findings.filter(({ check }) => !once.has(check)),
    ...[...once.values()].map((each) => (each.given === undefined ? { ...each, doubt: 'beside the laws' as const } : each)),
  ];
}

/** Steps that nobody reaches without a login. */
const behindLogin: readonly Step[] = ['exchange', 'token', 'expiry'];

function unlessMisled(finding: Finding, { facts, spec, oracle, protocol }: Subject): Finding {
  if (finding.outcome !== 'fail') return finding;
  const { step, about } = spec.catalogue.requirement(finding.requirement);
  // Where no given user can log in, the collection sees refusals that say nothing of the target.
  if (facts.loginRefused !== undefined && behindLogin.includes(step)) return untested(finding, facts.loginRefused);
  // Where tokens are a sequence, one with a character changed may be another one that was issued.
  const last = lastOf(finding.chain);
  const [sent] = last === undefined ? [] : headerValues(last.request, protocol.headers.token);
  const isIssued = sent !== undefined && about.includes('unknown-token') && oracle.tokens.has(sent);
  return isIssued ? untested(finding, 'the changed token is another token that was issued') : finding;
}
