import { OptionError, type Step } from '../../spec/index.js';
import { startBridge, type TargetClock } from '../clock/index.js';
import { tokenOf } from '../expect/index.js';
import { type Finding, sentence } from '../finding.js';
import type { RunOptions } from '../options.js';
import { deferred } from '../parallel.js';
import { howToGetNewman, isNewmanInstalled, type NewmanProcess, openNewman, type PostmanResult, runPostman } from '../postman/index.js';
import type { Subject } from '../subject/index.js';
import { fromTarget, headerValues, isClockMove } from '../wire/index.js';
import { flaky } from './explain.js';
import type { Found } from './phases.js';
import type { OpenTarget } from './target.js';

/** The second engine: beside or after the laws that leave the clock alone, and once more after those that move it. */
interface PostmanRun {
  /** It has an account of its own, and may run beside the laws. */
  readonly isApart: boolean;
  /** Lets it send its first request. Waits until all that leaves the clock alone is done. */
  beforeClock(): Promise<void>;
  /** Lets it do what moves the clock, and gives all that it found. What failed beside the laws is tried once more alone; `isViolated`: whether they found a violation. */
  atClock(isViolated: () => Promise<boolean>): Promise<Found>;
  requests(): number;
  /** What broke in the collection itself, as a sentence. */
  broken(): string | undefined;
}

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

const nothing: Found = { findings: [], observations: [] };

/** Prepares it, without a request to the target. */
export function startPostman(
  options: RunOptions,
  subject: OpenTarget,
  selected: ReadonlySet<string>,
  signals: readonly AbortSignal[],
  newman: NewmanProcess | undefined,
): PostmanRun {
  // The laws log in as the first one.
  const [first, ...others] = subject.ableUsers;
  const user = [...others, ...subject.ableUsers].find(({ paraphrase }) => /^[ -~]*$/.test(paraphrase)) ?? first ?? options.users[0];
  if (!options.engines.includes('postman') || user === undefined)
    return { isApart: false, beforeClock: async () => {}, atClock: async () => nothing, requests: () => 0, broken: () => undefined };
  const { facts, client } = subject;
  const isApart =
    user !== first &&
    facts.loginsEnd === undefined &&
    facts.oneAtATime === undefined &&
    facts.oneConnection === undefined &&
    client.pace.perSecond === undefined;
  let requests = 0;
  let broken: string | undefined;
  const run = async (clockUrl?: string): Promise<PostmanResult> => {
    const { perSecond } = subject.client.pace;
    const result = await runPostman({
      spec: options.spec,
      baseUrl: options.baseUrl.href.replace(/\/$/, ''),
      collection: subject.collections[0],
      user,
      timeoutMs: options.timeoutMs,
      insecure: options.insecure,
      headers: options.headers,
      keepAlive: subject.facts.oneConnection === undefined && subject.facts.connectionsRemember === undefined,
      apartMs: perSecond === undefined ? 0 : 1000 / perSecond,
      selected: (id) => selected.has(id),
      ...(newman === undefined ? {} : { newman }),
      ...(clockUrl === undefined ? {} : { clockUrl }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      signal: AbortSignal.any([...signals, subject.givenUp]),
    });
    requests += result.exchanges.length;
    broken = result.broken;
    keepSecrets(result, subject);
    return result;
  };
  const hear = ({ exchanges }: PostmanResult, isHeld: boolean): void => {
    for (const exchange of exchanges) {
      subject.recorder?.note(exchange, { engine: 'postman', ...(isHeld ? {} : { unheld: true }) });
      subject.oracle.end(subject.oracle.begin(exchange.request), exchange, isHeld);
    }
  };
  const gate = gateBefore(subject);
  const start = () => (gate === undefined ? run() : throughBridge(gate, run));
  let running: Promise<PostmanResult> | undefined;
  return {
    isApart,
    async beforeClock() {
      if (!isApart) subject.client.rest();
      running = start();
      // It is awaited later; until then a rejection must not count as unhandled.
      running.catch(() => {});
      await (gate === undefined ? running : Promise.race([gate.reached, running]));
    },
    async atClock(isViolated) {
      subject.client.rest();
      gate?.open();
      const first = await running;
      if (first === undefined) return nothing;
      const failed = failuresOf(first);
      const isSure = !isApart || failed.length === 0 || signals.some(({ aborted }) => aborted);
      const result = isSure ? first : await start();
      // What the collection met beside the laws is told by its own checks alone.
      if (!isSure) hear(first, false);
      hear(result, true);
      const findings = isSure ? result.findings : withOnce(failed, result, await isViolated());
      return { findings: findings.map((finding) => ofASequence(explained(finding, subject), subject)), observations: [] };
    },
    requests: () => requests,
    broken: () =>
      broken === undefined
        ? undefined
        : `The Postman collection broke ${fromTarget(sentence(broken))} This is a bug in hydrauth and says nothing about the server; please report it. --engine laws judges without the collection.`,
  };
}

const failuresOf = ({ findings }: PostmanResult) => findings.filter(({ outcome }) => outcome === 'fail');

/** What failed beside the laws and not alone is flaky. Where the laws found a violation, their requests may be its reason. What somebody was given counts once. */
function withOnce(failed: readonly Finding[], again: PostmanResult, isViolated: boolean): Finding[] {
  const still = new Set(failuresOf(again).map(({ check }) => check));
  const told = failed.filter(({ check, given }) => !still.has(check) && (given !== undefined || !isViolated));
  const once = new Map(told.map((each) => [each.check, each]));
  return [
    ...again.findings.filter(({ check }) => !once.has(check)),
    ...[...once.values()].map((each) => (each.given === undefined ? flaky(each, 1) : each)),
  ];
}

interface Gate {
  readonly clock: TargetClock;
  /** Somebody stands before it. */
  readonly reached: Promise<void>;
  open(): void;
}

/**
 * The collection reads the clock before anything else that has to do with it, and the answer waits until the laws have no more use for
 * the clock. So Newman is begun once instead of twice. Undefined where the clock cannot be moved.
 */
function gateBefore({ clock }: Subject): Gate | undefined {
  if (!clock.canMove || !clock.isInstant) return undefined;
  const reached = deferred();
  const opened = deferred();
  const now = async () => {
    reached.resolve();
    await opened.promise;
    return clock.now();
  };
  return { clock: { ...clock, now, advance: (ms) => clock.advance(ms) }, reached: reached.promise, open: opened.resolve };
}

async function throughBridge<T>({ clock }: Gate, run: (clockUrl: string) => Promise<T>): Promise<T> {
  const bridge = await startBridge(clock);
  return run(bridge.url).finally(() => bridge.close());
}

/** Steps that nobody reaches without a login. */
const behindLogin: ReadonlySet<string> = new Set<Step>(['exchange', 'token', 'expiry']);

/** Where no given user can log in, the collection sees refusals that say nothing of the target. */
function explained(finding: Finding, { facts, spec }: Subject): Finding {
  if (finding.outcome !== 'fail' || facts.loginRefused === undefined) return finding;
  if (!behindLogin.has(spec.catalogue.requirement(finding.requirement).step)) return finding;
  const { requirement, check, engine } = finding;
  return { requirement, check, engine, outcome: 'untested', message: facts.loginRefused };
}

/** Where tokens are a sequence, one with a character changed may be another one that was issued. */
function ofASequence(finding: Finding, { oracle, protocol, spec }: Subject): Finding {
  const { requirement, check, engine } = finding;
  const last = finding.chain?.at(-1);
  if (finding.outcome !== 'fail' || last === undefined || isClockMove(last)) return finding;
  const [sent] = headerValues(last.request, protocol.headers.token);
  const isAboutUnknown = spec.catalogue.requirement(requirement).about.includes('unknown-token');
  if (sent === undefined || !isAboutUnknown || !oracle.tokens.has(sent)) return finding;
  return { requirement, check, engine, outcome: 'untested', message: 'the changed token is another token that was issued' };
}

/** A target may tell anywhere what it gave to the collection. */
function keepSecrets({ exchanges }: PostmanResult, subject: Subject): void {
  for (const { answer } of exchanges) {
    const token = answer === undefined ? undefined : tokenOf(answer, subject.protocol);
    if (token !== undefined) subject.redactor.token(token);
  }
}
