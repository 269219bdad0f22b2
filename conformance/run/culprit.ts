import type { Requirement } from '../../spec/index.js';
import { isOfGateway } from '../expect/index.js';
import { type Finding, lastOf, present, toldElsewhere, triesAlone } from '../finding.js';
import type { User } from '../options.js';
import { isOfProtocol } from '../oracle/index.js';
import { ifUntested, Trial, Untested, Violation } from '../subject/index.js';
import { type Chain, type Exchange, type HeaderLine, headerValues, isClockMove, type RequestPlan } from '../wire/index.js';
import type { AnswerMonitor } from './answer-monitor.js';
import { flaky, heldAlone } from './explain.js';
import { requestWords } from './remarks.js';
import type { OpenTarget } from './target.js';

/** So many failures of a run are looked into, and each for so long; all that is asked meanwhile counts. */
const mostFindings = 3;
const mostMs = 4000;
/** So many of the requests before it are tried one by one; others in groups, of which one that matters is searched through. A group may undo what one of it does. */
const [mostAlone, justBefore] = [32, 10];
const groupSize = 32;

/**
 * Finds what another request brought about: of a failure that does not happen alone, the requests before it are sent again, until one is
 * left with which it happens and without which it does not. It stands in the chain then.
 */
export async function withCulprits(findings: readonly Finding[], target: OpenTarget, selected: ReadonlySet<string>): Promise<Finding[]> {
  const told: Finding[] = [];
  const moved = new Map<string, string>();
  let looked = 0;
  const endMs = performance.now() + mostFindings * mostMs;
  for (const finding of findings) {
    const request = finding.outcome === 'fail' ? lastOf(finding.chain)?.request : undefined;
    const isOpen = looked < mostFindings && target.patience.over === undefined;
    const isWorth = request !== undefined && isOpen && (await isRightAlone(request, target, endMs));
    if (isWorth) looked += 1;
    const found = isWorth ? await culpritOf(request, target) : undefined;
    const better = found === undefined ? finding : through(found, finding, target, selected);
    if (found !== undefined) moved.set(finding.requirement, better.requirement);
    // What is right alone, and due to no other request, is not due to what stands beside it either; what is older by now may be right for that.
    const isDueToNothing = isWorth && found === undefined && !isOfAge(finding, target);
    const by = isDueToNothing ? violationBehind(finding, findings, target) : undefined;
    told.push(by === undefined ? better : toldElsewhere(finding, by.requirement));
  }
  const failed = new Set(told.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement));
  return told.map((each) =>
    each.toldBy === undefined || failed.has(each.toldBy) ? each : toldElsewhere(each, moved.get(each.toldBy) ?? each.toldBy),
  );
}

/** A violation about the same asker, of which a warning may be only another sight. */
function violationBehind({ requirement, about }: Finding, findings: readonly Finding[], { spec: { catalogue } }: OpenTarget) {
  const isMust = (row: string) => catalogue.requirement(row).level === 'MUST';
  if (isMust(requirement)) return undefined;
  return findings.find((each) => each.outcome === 'fail' && each.about === about && isMust(each.requirement));
}

/** The finding as what another request brings about. Alone it does not fail, so that there is no path to it. */
function through(found: Found, { path: _, ...finding }: Finding, { spec }: OpenTarget, selected: ReadonlySet<string>): Finding {
  const { level, about } = spec.catalogue.requirement(finding.requirement);
  const abouts = finding.about === undefined ? about : [finding.about];
  const isMeant = (row: Requirement) => row.afterOthers && selected.has(row.id) && abouts.some((one) => row.about.includes(one));
  const row = spec.catalogue.requirements.find(isMeant);
  return {
    ...finding,
    requirement: level === 'MUST' && row !== undefined ? row.id : finding.requirement,
    chain: found.chain,
    cause: `${requestWords(found.culprit)}, sent before it: without that request the answer is right`,
  };
}

/** Whether a request that was answered wrongly is answered rightly with nothing before it. */
async function isRightAlone(request: RequestPlan, target: OpenTarget, endMs: number): Promise<boolean> {
  // What could not be asked to its end is not right.
  return target.oracle.isContradicted(request) && (await wrongAfter([], request, target, endMs)) === undefined && performance.now() < endMs;
}

interface Found {
  readonly culprit: RequestPlan;
  readonly chain: Chain;
}

async function culpritOf(seen: RequestPlan, target: OpenTarget): Promise<Found | undefined> {
  const endMs = performance.now() + mostMs;
  // What is ahead of it would come between.
  const { ahead: _, ...request } = seen;
  const isWrongAfter = (before: readonly RequestPlan[]) => wrongAfter(before, request, target, endMs);
  // Without what is peculiar in it, where it does the same: alone on its connection, with no header at all, or with those of the protocol.
  // However long the search took, there is time for this.
  const plainly = async (culprit: RequestPlan, chain: Chain): Promise<Found> => {
    const { body: _, ahead: __, ...bare } = { ...culprit, target: culprit.target.split('?')[0] as string, headers: [] };
    const ofProtocol = culprit.headers.filter(([name]) => isOfProtocol(name, target.protocol));
    for (const plain of ofProtocol.length > 0 ? [bare, { ...bare, headers: ofProtocol }] : [bare]) {
      const seen = await wrongAfter([plain], request, target, performance.now() + mostMs);
      if (seen !== undefined) return { culprit: plain, chain: seen };
    }
    return { culprit, chain };
  };
  // One of each kind: the values of headers and queries mostly do not matter. First those just before it, then those whose method may change something.
  const kindOf = ({ method, target: address, headers, body }: RequestPlan) =>
    [method, address.split('?')[0], ...headers.map(([name]) => name.toLowerCase()).sort(), body?.length].join(' ');
  const isSafe = ({ method }: RequestPlan) => method === 'GET' || method === 'HEAD';
  const kinds = new Map<string, RequestPlan>();
  for (const each of target.oracle.sentBefore(seen)) if (!kinds.has(kindOf(each))) kinds.set(kindOf(each), each);
  const suspects = [...kinds.values()];
  suspects.push(...suspects.splice(justBefore).sort((one, other) => Number(isSafe(one)) - Number(isSafe(other))));
  let alone = mostAlone;
  while (suspects.length > 0) {
    let group = suspects.splice(0, alone-- > 0 ? 1 : groupSize);
    let chain = await isWrongAfter(group);
    while (chain !== undefined && group.length > 1) {
      const half = Math.ceil(group.length / 2);
      const first = await isWrongAfter(group.slice(0, half));
      group = first === undefined ? group.slice(half) : group.slice(0, half);
      chain = first ?? (await isWrongAfter(group));
    }
    if (chain !== undefined) return plainly(group[0] as RequestPlan, chain);
  }
  return undefined;
}

/** The chain in which a request is answered wrongly after others; undefined where the answer is right, or nothing can be said. */
const wrongAfter = (before: readonly RequestPlan[], request: RequestPlan, target: OpenTarget, endMs: number) =>
  new Enactment(target, endMs).wrongAfter(before, request).catch(ifUntested);

/** Sends requests of the run again: with nonces and tokens of now in the place of those that they carried. */
class Enactment {
  private readonly tokens = new Map<string, string>();

  constructor(
    private readonly target: OpenTarget,
    private readonly endMs: number,
    private readonly trial = new Trial(target),
  ) {}

  async wrongAfter(before: readonly RequestPlan[], request: RequestPlan): Promise<Chain | undefined> {
    // What it carries is there before, and works.
    if (!this.isRight(await this.send(request))) return before.length === 0 ? this.trial.chain : undefined;
    for (const each of before) await this.send(each);
    return this.isRight(await this.send(request)) ? undefined : this.trial.chain;
  }

  /** The answer to one of them; it is right, or undefined. */
  async rightAnswer(request: RequestPlan): Promise<Exchange | undefined> {
    const exchange = await this.send(request);
    return exchange.answer !== undefined && this.isRight(exchange) ? exchange : undefined;
  }

  private async send(request: RequestPlan): Promise<Exchange> {
    if (performance.now() >= this.endMs) throw new Untested('the time to look into failures was over');
    return this.trial.send(await this.anew(request));
  }

  /** The request, and the one ahead of it, which are others than those of then: what had to come of those stays known. */
  private async anew(request: RequestPlan): Promise<RequestPlan> {
    const ahead = request.ahead && (await this.anew(request.ahead));
    return { ...request, headers: await this.headersOf(request), ...present({ ahead }) };
  }

  private isRight(exchange: Exchange): boolean {
    try {
      this.trial.expectRight(exchange, 'it');
      return true;
    } catch (error) {
      if (error instanceof Violation) return false;
      ifUntested(error);
      return true;
    }
  }

  private async headersOf(request: RequestPlan): Promise<HeaderLine[]> {
    const { oracle, protocol } = this.target;
    const lines: HeaderLine[] = [];
    for (const [name, value] of request.headers) {
      const is = (header: 'nonce' | 'token') => name.toLowerCase() === protocol.headers[header].toLowerCase();
      const owner = is('token') ? oracle.ownerOf(value, request) : undefined;
      if (owner !== undefined) lines.push([name, await this.tokenFor(value, owner)]);
      else lines.push([name, is('nonce') && oracle.issued(value) ? (await this.trial.challenge()).value : value]);
    }
    return lines;
  }

  /** One token of now for each token of then. */
  private async tokenFor(old: string, owner: User): Promise<string> {
    const known = this.tokens.get(old) ?? (await this.trial.login(owner)).value;
    this.tokens.set(old, known);
    return known;
  }
}

/** Where more failed only once, one cause is likelier than so many chances. */
const mostFlaky = 3;
/** With one token so often. */
const mostUses = 200;

/** What one answer of the whole run showed, and no answer to the same request when it is sent again alone, is flaky. A gateway's is held against nobody. */
export async function withFlaky(findings: readonly Finding[], target: OpenTarget, monitor: AnswerMonitor): Promise<Finding[]> {
  // Right logins were refused at other times, too, and what excuses those is only a guess.
  const isRepeated = ({ about }: Finding) => about === 'login' && target.oracle.rate(about).contradicted > 1;
  const seenOnce = findings.filter((each) => isSeenOnce(each) && !isRepeated(each) && !isOfGateways(each));
  // Where connections remember, a request that is sent again goes on another one, and shows nothing.
  if (seenOnce.length > mostFlaky || target.facts.connectionsRemember !== undefined) return [...findings];
  const told: Finding[] = [];
  for (const each of findings) {
    const isOnce = (isOfGateways(each) || seenOnce.includes(each)) && !isOfAge(each, target) && (await holdsAlone(each, target, monitor));
    told.push(!isOnce ? each : isOfGateways(each) ? heldAlone(each) : flaky(each, triesAlone));
  }
  return told;
}

/**
 * Of many answers one, and no case that a path repeats: those were repeated where they failed. What somebody was given counts once. What
 * it explains may be the same answer, as a law saw it.
 */
function isSeenOnce({ engine, outcome, path, rate, given, cause, explains = [], besides = 0 }: Finding): boolean {
  const explained = explains.reduce((sum, { count }) => sum + count, 0);
  const isOne = engine === 'laws' && path === undefined && rate !== undefined && rate.failed === 1 && rate.of > 1;
  return outcome === 'fail' && isOne && given === undefined && cause === undefined && besides === 0 && explained <= 1;
}

const isOfGateways = ({ engine, outcome, path, chain }: Finding) =>
  engine === 'laws' && outcome === 'fail' && path === undefined && isOfGateway(lastOf(chain)?.answer);

/** Whether it may be due to the age of something, which a request that is sent again has not. */
function isOfAge({ requirement, chain = [] }: Finding, { spec }: OpenTarget): boolean {
  return spec.catalogue.requirement(requirement).step === 'expiry' || chain.some(isClockMove);
}

/** A token is used as often as the refused one had been, because it may be refused at just that use. */
async function holdsAlone({ requirement, chain }: Finding, target: OpenTarget, monitor: AnswerMonitor): Promise<boolean> {
  const last = lastOf(chain);
  if (last === undefined) return false;
  const endMs = performance.now() + mostMs;
  const enactment = new Enactment(target, endMs);
  const used = headerValues(last.request, target.protocol.headers.token).map((each) => target.oracle.tokens.usesOf(each));
  // Uses that opened nothing, such as those of missing addresses, count for the target as well.
  const uses = Math.min(mostUses, 2 * Math.max(0, ...used));
  for (let tries = 0; tries < triesAlone || (tries <= uses && performance.now() < endMs); tries += 1) {
    const answered = await enactment.rightAnswer(last.request).catch(ifUntested);
    if (answered === undefined) return tries >= triesAlone && performance.now() >= endMs;
    if ((await monitor.holds(requirement, answered)) === false) return false;
  }
  return true;
}
