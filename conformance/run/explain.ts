import type { Catalogue, Protocol } from '../../spec/index.js';
import { isOfGateway } from '../expect/index.js';
import { type Finding, failure, lastOf, toldElsewhere, untested } from '../finding.js';
import {
  type Contradiction,
  grantOf,
  inWords,
  isGranted,
  isOfProtocol,
  isSpelledOtherwise,
  type Oracle,
  placeOf,
} from '../oracle/index.js';
import { type Exchange, headerValues, isPipelined, type RequestPlan } from '../wire/index.js';

/** What must be known to explain what was found. */
interface Explaining {
  readonly catalogue: Catalogue;
  readonly selected: ReadonlySet<string>;
  readonly protocol: Protocol;
  readonly oracle: Oracle;
  /** The address of the first collection, on which most requests go. */
  readonly firstPlace: string;
  /** When judging began, by the clock of the exchanges. */
  readonly sinceMs: number;
}

/**
 * Joins what was found into what is told. What may have another cause (a failure seen only beside other requests, a history, an answer
 * that contradicts the oracle) is listed under a failure that explains it: of the same row, or of another MUST about the same asker that
 * needs nothing which was not there. Where there is none it is told itself, so that nothing seen is lost. The surest come first, because they explain the others.
 */
export function explainFindings(seen: readonly Finding[], context: Explaining): Finding[] {
  const { oracle, catalogue } = context;
  const excuseOf = oracle.excuses();
  const found = seen.map((each) => unlessExcused(each, excuseOf, context));
  const kindOf = (each: Finding) => {
    if (each.outcome !== 'fail') return 'sure';
    const isHistory = catalogue.requirement(each.requirement).interleaving;
    return each.doubt ?? (isHistory ? 'history' : isOpenAnswer(each, context) ? 'open answer' : 'sure');
  };
  const of = (kind: ReturnType<typeof kindOf>) => found.filter((each) => kindOf(each) === kind);
  const telling = new Telling(of('sure'), context);
  const contradictions = oracle.contradictions();
  for (const each of of('open answer')) telling.tellOrList(each, each, ofOpenAnswers);
  for (const each of fewestFirst(of('other causes'))) telling.tellOrList(each, each);
  const isOtherRefusal = (each: Contradiction) => oracle.isRefusedOtherwise(each);
  const neverGranted = plainestFirst(contradictions.filter(isNeverGranted), context);
  // What was given to a stranger says more than how another was refused.
  telling.contradictions(neverGranted.filter((each) => !isOtherRefusal(each)));
  telling.contradictions(neverGranted.filter(isOtherRefusal));
  for (const each of of('history')) telling.tellOrList(each, each);
  telling.contradictions(fewestFirst(contradictions.filter((each) => !isNeverGranted(each))));
  for (const each of of('not again')) telling.tellOrList(each, flakyOr(each, notRepeated(each)));
  for (const each of of('beside others')) telling.tellOrList(each, flakyOr(each, besideOthers(each, context)));
  // What is wrong with the target may show in the collection in ways of its own.
  for (const each of of('beside the laws')) telling.tell(telling.hasFailed ? heldAlone(each) : flaky(notRepeated(each), 1));
  return telling.findings();
}

class Telling {
  /** The rows that failed, each with the askers it speaks of, and what of a request each of its failures needs. */
  private readonly failed = new Map<string, { readonly abouts: Set<string>; readonly needs: (readonly string[])[] }>();
  private readonly explained = new Map<string, { what: string; count: number }[]>();
  /** How many answers of those that are explained contradict the oracle. */
  private readonly besides = new Map<string, number>();
  private readonly all: Finding[] = [];

  constructor(
    sure: readonly Finding[],
    private readonly context: Explaining,
  ) {
    for (const each of sure) this.tell(each);
  }

  /** Tells a doubtful failure, as it would be told by itself, or lists it under the one that explains it. */
  tellOrList(seen: Finding, alone: Finding, servedTo = seen.given === 'resource' ? ['stranger'] : []): void {
    const abouts = seen.about === undefined ? this.context.catalogue.requirement(seen.requirement).about : [seen.about];
    const by = this.explaining(seen.requirement, abouts, lastOf(seen.chain), servedTo, seen);
    if (by !== undefined) this.list(by, `${seen.check}: ${seen.actual ?? seen.message ?? ''}`, 1);
    this.tell(by === undefined ? alone : toldElsewhere(seen, by));
  }

  /** Row by row. Tells what is seen without any peculiarity apart from what is seen only with some, and what is open to strangers last. */
  contradictions(some: readonly Contradiction[]): void {
    const isPlain = ({ exchange }: Contradiction) => peculiar(exchange.request, this.context.protocol).length === 0;
    for (const row of new Set(some.map(({ expectation }) => expectation.requirement)))
      for (const isOpen of [false, true])
        for (const plain of [true, false]) {
          const isOfGroup = (each: Contradiction) => this.isOpenToStrangers(each) === isOpen && isPlain(each) === plain;
          const group = some.filter((each) => each.expectation.requirement === row && isOfGroup(each));
          this.contradiction(row, group, isOpen);
        }
  }

  private isServed({ expectation, exchange: { answer } }: Contradiction): boolean {
    return expectation.must !== 'granted' && answer !== undefined && grantOf(answer, this.context.protocol) === 'served';
  }

  /** What is open to strangers is open to everybody. */
  private isOpenToStrangers(seen: Contradiction): boolean {
    return this.isServed(seen) && this.context.oracle.servesStrangers(seen.exchange.request.target);
  }

  private contradiction(requirement: string, group: readonly Contradiction[], isOpenToStrangers: boolean): void {
    // The plainest shows best what is wrong.
    const [first] = fewestFirst(group);
    if (first === undefined || !this.context.selected.has(requirement)) return;
    const { about, login, what, must } = first.expectation;
    const came = this.context.oracle.isRefusedOtherwise(first) ? 'refused otherwise' : must === 'granted' ? 'refused' : 'granted';
    const abouts = [about, login?.about ?? [], isOpenToStrangers ? 'stranger' : []].flat();
    // What happens each time was repeated, and told.
    const doubt = isNeverGranted(first) ? { doubt: 'not again' as const } : {};
    const by = this.explaining(requirement, abouts, first.exchange, this.isServed(first) ? ['stranger'] : [], doubt);
    if (by === undefined) this.tell(findingOf(requirement, first, group.length, this.context));
    else {
      this.list(by, `${what} was ${came}`, group.length);
      this.besides.set(by, (this.besides.get(by) ?? 0) + group.length);
    }
    // What one of them did without, none needs.
    const alike = group.filter(({ exchange: { request } }) => request.method === first.exchange.request.method);
    const [ofOne = [], ...ofOthers] = alike.map(({ exchange }) => neededBy(exchange, false, this.context));
    this.failed.get(requirement)?.needs.push(ofOne.filter((need) => ofOthers.every((each) => each.includes(need))));
  }

  findings(): Finding[] {
    return this.all.map((each) => {
      const explains = isFailed(each) ? this.explained.get(each.requirement) : undefined;
      if (explains === undefined) return each;
      // Once a row is enough.
      this.explained.delete(each.requirement);
      const besides = this.besides.get(each.requirement);
      // What else it explains was seen besides, so that it is more than once.
      return { ...each, outcome: 'fail', explains: [...(each.explains ?? []), ...explains], besides };
    });
  }

  get hasFailed(): boolean {
    return this.failed.size > 0;
  }

  tell(finding: Finding): void {
    this.all.push(finding);
    const { requirement, about, isShrunk, chain } = finding;
    if (!isFailed(finding)) return;
    const row = this.failed.get(requirement) ?? { abouts: new Set(this.context.catalogue.requirement(requirement).about), needs: [] };
    if (about !== undefined) row.abouts.add(about);
    const last = lastOf(chain);
    row.needs.push(last === undefined ? [] : neededBy(last, isShrunk === true, this.context));
    this.failed.set(requirement, row);
  }

  /**
   * The failed row that explains something about these askers: its own, or another MUST, one of whose failures needs nothing that was not
   * there. Of several, the one that needs most of what was there, because it predicts just that. A warning explains no violation.
   */
  private explaining(
    requirement: string,
    abouts: readonly string[],
    exchange: Exchange | undefined,
    servedTo: readonly string[],
    { isControlled = false, doubt }: Pick<Finding, 'isControlled' | 'doubt'> = {},
  ): string | undefined {
    const { catalogue, oracle } = this.context;
    if (this.failed.has(requirement)) return requirement;
    // A token that was handed out again may owe its fate to what stood in another login.
    const seenWith = exchange === undefined || oracle.bringsSharedToken(exchange.request) ? undefined : thereIn(exchange, this.context);
    // What comes and goes was perhaps only not met before the clock was moved.
    const isThere = (each: string) => seenWith === undefined || seenWith.includes(each) || (doubt === 'not again' && each === afterTime);
    const candidates = [...this.failed].flatMap(([id, row]) => {
      const { level, afterOthers } = catalogue.requirement(id);
      const mayExplain = level === 'MUST' && !(isControlled && afterOthers);
      const isOfThese = abouts.some((each) => row.abouts.has(each));
      // What serves strangers by some peculiarity serves whoever has it.
      const servesAll = servedTo.some((each) => row.abouts.has(each));
      // Where it happens with several queries, any will do.
      const queries = new Set(row.needs.flat().filter(isQuery));
      const isMet = (each: string) => isThere(each) || (isQuery(each) && queries.size > 1 && seenWith?.some(isQuery) === true);
      const fits = (needs: readonly string[]) => needs.every(isMet) && (isOfThese || (servesAll && needs.length > 0));
      const fitting = mayExplain ? row.needs.filter(fits) : [];
      return fitting.length === 0 ? [] : [{ id, predicted: Math.max(...fitting.map(({ length }) => length)) }];
    });
    return candidates.sort((one, other) => other.predicted - one.predicted)[0]?.id;
  }

  private list(row: string, what: string, count: number): void {
    const listed = this.explained.get(row) ?? [];
    const same = listed.find((each) => each.what === what);
    if (same === undefined) listed.push({ what, count });
    else same.count += count;
    this.explained.set(row, listed);
  }
}

const maybeLocked = 'logins were refused after wrong attempts; the server may have locked our address, which the protocol allows';

/** A failure that rests on the refusal of a login says nothing where the refusal may be due to what is open, nor does what a gateway said once. */
function unlessExcused(finding: Finding, excuseOf: ReturnType<Oracle['excuses']>, { protocol }: Explaining): Finding {
  const { outcome, doubt, chain } = finding;
  const last = lastOf(chain);
  if (outcome !== 'fail' || last === undefined || isGranted(last, protocol)) return finding;
  const excuse = excuseOf(last);
  if (excuse === 'locked') return untested(finding, maybeLocked, 'target');
  // Where nothing was beside it or ahead of it, nothing displaced its nonce.
  const isDisplaced = excuse === 'displaced' && (doubt === 'beside others' || isPipelined(last.request));
  const isGateways = isOfGateway(last.answer) && doubt !== undefined && doubt !== 'other causes';
  return isDisplaced || isGateways ? heldAlone(finding) : finding;
}

export const heldAlone = ({ requirement, check, engine }: Finding): Finding => ({
  requirement,
  check,
  engine,
  outcome: 'pass',
  restsOn: 'what was tried alone',
});

/** What serves one of these by some peculiarity serves a right login with it, too, and is no answer of Step B. */
const ofOpenAnswers = ['stranger', 'wrong-login', 'wrong-nonce'];

/** Whether details of Step B are missing in an answer that serves a peculiar login without a token. */
function isOpenAnswer({ requirement, check, chain }: Finding, { catalogue, protocol }: Explaining): boolean {
  const { request, answer } = lastOf(chain) ?? {};
  if (check !== requirement || catalogue.requirement(requirement).step !== 'exchange' || answer === undefined) return false;
  return grantOf(answer, protocol) === 'served' && request !== undefined && peculiar(request, protocol).length > 0;
}

const isFailed = ({ outcome }: Finding) => outcome === 'fail' || outcome === 'flaky';

const notRepeated = (finding: Finding): Finding => ({
  ...finding,
  message: `${finding.message} It did not happen again when it was repeated.`,
});

/** What failed once and held every time it was repeated is flaky, unless somebody was given something. */
function flakyOr(seen: Finding, failed: Finding): Finding {
  return seen.heldAgain === undefined || seen.given !== undefined ? failed : flaky(notRepeated(seen), seen.heldAgain);
}

/** The finding as one that failed once. */
export function flaky(finding: Finding, heldAgain: number): Finding {
  return { ...finding, outcome: 'flaky', rate: { failed: 1, of: 1 + heldAgain } };
}

/** What brings less explains what brings more. */
const linesOf = (chain: Finding['chain']) => lastOf(chain)?.request.headers.length ?? 0;
const fewestFirst = <Seen extends Pick<Finding, 'chain'>>(some: readonly Seen[]) =>
  some.toSorted((one, other) => linesOf(one.chain) - linesOf(other.chain));

/** What is asked for plainly shows best what is given to anybody. */
const plainestFirst = (some: readonly Contradiction[], scene: Explaining) =>
  some.toSorted((one, other) => oddityOf(one, scene) - oddityOf(other, scene));
const oddityOf = ({ exchange: { request } }: Contradiction, scene: Explaining) =>
  peculiar(request, scene.protocol).length + elsewhere(request, scene).length;

/** What only happens beside other requests is told by the row about interleaving, where it is judged; a warning stays one. */
function besideOthers(finding: Finding, { catalogue, selected }: Explaining): Finding {
  // Tried alone it does not fail, so that there is no path to it.
  const { message = '', requirement, path: _, ...others } = finding;
  const seen = `${message} It happened while other requests were running, and not when the case was repeated alone.`;
  const interleaving = catalogue.requirements.find((row) => row.interleaving)?.id;
  const moves = interleaving !== undefined && selected.has(interleaving) && catalogue.requirement(requirement).level === 'MUST';
  return { ...others, requirement: moves ? interleaving : requirement, message: seen };
}

/** Whoever has nothing to show is refused in every history, so that a grant needs none to be understood. */
const isNeverGranted = ({ expectation: { must, about } }: Contradiction) => must !== 'granted' && about !== 'expired-token';

function findingOf(requirement: string, seen: Contradiction, count: number, { oracle, protocol }: Explaining): Finding {
  const { expectation, exchange, chain } = seen;
  const { about, must, what } = expectation;
  const grant = exchange.answer === undefined ? 'nothing' : grantOf(exchange.answer, protocol);
  const isOtherRefusal = oracle.isRefusedOtherwise(seen);
  const refused = isOtherRefusal ? `gets the challenge (${oracle.challengeStatus})` : 'is refused';
  const expected = `${what} ${must === 'granted' ? 'is granted' : refused}`;
  return failure(requirement, `${requirement}/oracle`, expected, inWords(exchange, protocol), {
    // It held each of the other times.
    outcome: isOtherRefusal && count === 1 ? 'flaky' : 'fail',
    chain,
    about,
    ...(must === 'granted' || grant === 'nothing' ? {} : { given: grant === 'token' ? 'token' : 'resource' }),
    rate: { failed: count, of: Math.max(count, oracle.rate(about).of) },
  });
}

const afterTime = 'after moves of the clock';
const isQuery = (peculiarity: string): boolean => peculiarity.startsWith('?');

/** What is in a request besides its address and the headers of the protocol. */
function peculiar({ headers, method, httpVersion, inPieces, target }: RequestPlan, protocol: Protocol): string[] {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => !isOfProtocol(name, protocol));
  return [
    ...(method === 'GET' ? [] : [method]),
    ...(httpVersion === undefined ? [] : ['HTTP/1.0']),
    ...(inPieces === undefined ? [] : ['in pieces']),
    ...(target.includes('?') ? [target.slice(target.indexOf('?'))] : []),
    ...names,
  ];
}

/** What a failure needs to happen, as far as its last exchange shows it; the address only where the failure was shrunk to it. */
function neededBy(last: Exchange, isShrunk: boolean, scene: Explaining): string[] {
  const { request } = last;
  return [
    ...peculiar(request, scene.protocol),
    // Only where what was given there is known to open it.
    ...(scene.oracle.isOpenedByItsOwn(request) ? fromElsewhere(request, scene) : []),
    ...afterMoves(last, scene),
    ...(isShrunk ? elsewhere(request, scene) : []),
  ];
}

/** What was there when something else was seen. */
function thereIn(exchange: Exchange, scene: Explaining): string[] {
  const { request } = exchange;
  const { oracle, protocol, sinceMs } = scene;
  const givenMs = headerValues(request, protocol.headers.token).flatMap((each) => oracle.tokens.issueOf(each)?.sentAtMs ?? []);
  const moves = afterMoves(exchange, { ...scene, sinceMs: Math.min(sinceMs, ...givenMs) });
  // A nonce or a token may be bound to whatever stood in the request that was given it.
  const peculiarities = [request, ...oracle.givenTo(request)].flatMap((each) => peculiar(each, protocol));
  return [...peculiarities, ...fromElsewhere(request, scene), ...moves, ...elsewhere(request, scene)];
}

const fromElsewhere = (request: RequestPlan, { oracle }: Explaining) =>
  oracle.isFromElsewhere(request) ? ['brought from another address'] : [];

function elsewhere({ target }: RequestPlan, { firstPlace }: Explaining): string[] {
  const address = placeOf(target);
  return [...(address === firstPlace ? [] : [`at ${address}`]), ...(isSpelledOtherwise(target) ? ['spelled otherwise'] : [])];
}

/** What the passing of time brings about is no reason for what was seen before the clock was moved, unless with a token of before that. */
function afterMoves({ sentAtMs }: Exchange, { oracle, sinceMs }: Explaining): string[] {
  return oracle.isMovedBetween(sinceMs, sentAtMs) ? [afterTime] : [];
}
