import type { Catalogue } from '../../spec/index.js';
import { type Finding, toldElsewhere } from '../finding.js';
import type { User } from '../options.js';
import { isOfProtocol } from '../oracle/index.js';
import { Trial, Untested, Violation } from '../subject/index.js';
import { type Chain, type Exchange, type HeaderLine, isClockMove, type RequestPlan } from '../wire/index.js';
import { requestWords } from './endings.js';
import type { OpenTarget } from './target.js';

/** So many failures of a run are looked into, and each for so long; all that is asked meanwhile counts. */
const mostFindings = 3;
const mostMs = 4000;
/** So many of the requests just before it are tried one by one; earlier ones in groups, of which one that matters is searched through. */
const mostAlone = 10;
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
    const last = finding.outcome === 'fail' ? finding.chain?.at(-1) : undefined;
    const request = last === undefined || isClockMove(last) ? undefined : last.request;
    const isWorth =
      request !== undefined && looked < mostFindings && target.gone === undefined && (await isRightAlone(request, target, endMs));
    if (isWorth) looked += 1;
    const found = isWorth ? await culpritOf(request, target) : undefined;
    const better = found === undefined ? finding : through(found, finding, target.spec.catalogue, selected);
    if (found !== undefined) moved.set(finding.requirement, better.requirement);
    told.push(better);
  }
  const failed = new Set(told.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement));
  return told.map((each) =>
    each.toldBy === undefined || failed.has(each.toldBy) ? each : toldElsewhere(each, moved.get(each.toldBy) ?? each.toldBy),
  );
}

/** The finding as what another request brings about. Alone it does not fail, so that there is no path to it. */
function through(
  { culprit, chain }: Found,
  { path: _, ...finding }: Finding,
  catalogue: Catalogue,
  selected: ReadonlySet<string>,
): Finding {
  const { level, about } = catalogue.requirement(finding.requirement);
  const abouts = finding.about === undefined ? about : [finding.about];
  const row = catalogue.requirements.find(
    (each) => each.afterOthers && selected.has(each.id) && abouts.some((one) => each.about.includes(one)),
  );
  return {
    ...finding,
    requirement: level === 'MUST' && row !== undefined ? row.id : finding.requirement,
    chain,
    cause: `${requestWords(culprit)}, sent before it: without that request the answer is right`,
  };
}

/** Whether a request that was answered wrongly is answered rightly with nothing before it. */
async function isRightAlone(request: RequestPlan, target: OpenTarget, endMs: number): Promise<boolean> {
  const isMeant = target.oracle.isContradicted(request) && target.oracle.sentBefore(request).length > 0;
  // What could not be asked to its end is not right.
  return isMeant && (await wrongAfter([], request, target, endMs)) === undefined && performance.now() < endMs;
}

interface Found {
  readonly culprit: RequestPlan;
  readonly chain: Chain;
}

async function culpritOf(request: RequestPlan, target: OpenTarget): Promise<Found | undefined> {
  const endMs = performance.now() + mostMs;
  const isWrongAfter = (before: readonly RequestPlan[]) => wrongAfter(before, request, target, endMs);
  // Without what is peculiar in it, where it does the same.
  const plainly = async (culprit: RequestPlan, chain: Chain): Promise<Found> => {
    const { body: _, ...plain } = {
      ...culprit,
      target: culprit.target.split('?')[0] as string,
      headers: culprit.headers.filter(([name]) => isOfProtocol(name, target.protocol)),
    };
    const seen = await isWrongAfter([plain]);
    return seen === undefined ? { culprit, chain } : { culprit: plain, chain: seen };
  };
  const suspects = distinct(target.oracle.sentBefore(request).reverse());
  for (const suspect of suspects.slice(0, mostAlone)) {
    const chain = await isWrongAfter([suspect]);
    if (chain !== undefined) return plainly(suspect, chain);
  }
  for (let from = mostAlone; from < suspects.length; from += groupSize) {
    let group = suspects.slice(from, from + groupSize);
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

/** One of each kind: the values of headers and queries mostly do not matter. */
function distinct(requests: readonly RequestPlan[]): RequestPlan[] {
  const kindOf = ({ method, target, headers, body }: RequestPlan) =>
    [method, target.split('?')[0], ...headers.map(([name]) => name.toLowerCase()).sort(), body?.length].join(' ');
  return [...new Map([...requests].reverse().map((each) => [kindOf(each), each])).values()].reverse();
}

/** The chain in which a request is answered wrongly after others; undefined where the answer is right, or nothing can be said. */
async function wrongAfter(
  before: readonly RequestPlan[],
  request: RequestPlan,
  target: OpenTarget,
  endMs: number,
): Promise<Chain | undefined> {
  try {
    return await new Enactment(target, endMs).wrongAfter(before, request);
  } catch (error) {
    if (!(error instanceof Untested)) throw error;
    return undefined;
  }
}

/** Sends requests of the run again: with nonces and tokens of now in the place of those that they carried. */
export class Enactment {
  private readonly trial: Trial;
  private readonly tokens = new Map<string, string>();

  constructor(
    private readonly target: OpenTarget,
    private readonly endMs: number,
  ) {
    this.trial = new Trial(target);
  }

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
    return this.trial.send({ ...request, headers: await this.headersOf(request) });
  }

  private isRight(exchange: Exchange): boolean {
    try {
      this.trial.expectRight(exchange, 'it');
      return true;
    } catch (error) {
      if (error instanceof Untested) return true;
      if (error instanceof Violation) return false;
      throw error;
    }
  }

  private async headersOf(request: RequestPlan): Promise<HeaderLine[]> {
    const { nonce, token } = this.target.protocol.headers;
    const lines: HeaderLine[] = [];
    for (const line of request.headers) {
      const [name, value] = line;
      const owner = name.toLowerCase() === token.toLowerCase() ? this.target.oracle.ownerOf(value, request) : undefined;
      if (owner !== undefined) lines.push([name, await this.tokenFor(value, owner)]);
      else if (name.toLowerCase() === nonce.toLowerCase() && this.target.oracle.issued(value))
        lines.push([name, (await this.trial.challenge()).value]);
      else lines.push(line);
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
