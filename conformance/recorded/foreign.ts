import { count, durationWords, type Protocol, type Requirement, type Spec } from '../../spec/index.js';
import { judgeClients, type LoggedRequest, mostJudged } from '../client/index.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import { isLimited } from '../expect/index.js';
import type { Finding } from '../finding.js';
import {
  type About,
  addressesOf,
  type Decided,
  decide,
  grantOf,
  isOfProtocol,
  judge,
  Oracle,
  placeOf,
  type Span,
  TargetTime,
} from '../oracle/index.js';
import { makeReport, type Report } from '../report/index.js';
import { explainFindings } from '../run/index.js';
import { isMessageOf, type Looked, type Role } from '../subject/index.js';
import { type Exchange, type HeaderLine, headerValues, type RequestPlan } from '../wire/index.js';
import type { RecordedOptions } from './again.js';
import { originOf, type Survey } from './survey.js';
import { inOrder, monitorOf } from './takes.js';
import { unclearWords } from './unclear.js';

/** What browsers and libraries send by themselves, and no service may mind. */
const ordinary =
  /^(host|user-agent|accept-(language|encoding)|connection|keep-alive|cache-control|pragma|origin|referer|cookie|dnt|priority|te|content-length|upgrade-insecure-requests|sec-.*|proxy-connection|traceparent|tracestate|x-request-id)$/i;
/** Answers come a little late, and clocks differ. */
const toleranceMs = 1000;
const dateResolutionMs = 1000;
const noBody = Buffer.alloc(0);

const roles: Readonly<Record<About, Role>> = {
  stranger: 'challenge',
  login: 'exchange',
  'wrong-login': 'refused-credentials',
  'wrong-nonce': 'refused-credentials',
  'valid-token': 'use',
  'expired-token': 'refused-expired',
  'unknown-token': 'refused-token',
};

/** Time as both sides tell it. Where they disagree, what follows from the one and not from the other is open. */
class TimeOfBoth extends TargetTime {
  constructor(private readonly dateName: string) {
    super(true);
  }

  override between(earlier: Timed, later: Timed): Span {
    const { leastMs, mostMs } = super.between(earlier, later);
    const [from, to] = [earlier, later].map(({ answer }) => Date.parse((answer && headerValues(answer, this.dateName)[0]) ?? ''));
    const ms = (to as number) - (from as number);
    return Number.isNaN(ms) ? { leastMs, mostMs } : { leastMs: Math.min(leastMs, ms), mostMs: Math.max(mostMs, ms) };
  }
}
type Timed = Pick<Exchange, 'sentAtMs' | 'durationMs' | 'answer'>;

/** Judges traffic that somebody else recorded: the service by its answers, and the clients by their requests. */
export async function judgeForeign(surveyed: Found, { spec, baseline = [], strict }: RecordedOptions): Promise<Report> {
  const { takes, baseUrl, users, served } = surveyed;
  const { protocol, catalogue, clientCatalogue } = spec;
  const { oracle, monitor, held, clients, redactor } = await heard(surveyed, spec);
  const seenClients = judgeClients(clients, protocol);
  for (const { id, paraphrase } of seenClients.traffic.flatMap(({ users: seen }) => seen))
    redactor.secret(paraphrase, `paraphrase of user ${id}`);
  const rows = catalogue.requirements.filter(({ auth, engines }) => auth !== 'off' && engines.length > 0);
  const explained = explainFindings([...(await monitor.findings()), ...held.failures()], {
    ...{ catalogue, protocol, oracle, known: new Set<string>(), sinceMs: 0 },
    selected: new Set(rows.map(({ id }) => id)),
    firstPlace: placeOf(`${baseUrl.pathname}/${served[0] ?? ''}`),
  });
  const told = explained.filter(({ outcome }) => outcome !== 'untested').map((each): Finding => ({ ...each, engine: 'watch' }));
  const isTold = new Set(told.map(({ requirement }) => requirement));
  const [first, last] = [takes[0], takes.at(-1)].map((take) => take?.sentAtMs ?? 0) as [number, number];
  return makeReport({
    spec: joined(spec),
    options: { auth: 'on', seed: 0, runs: 0, baseline, strict },
    target: { url: baseUrl.href.replace(/\/$/, ''), collections: served, users: users.map(({ id }) => id), clock: 'wait', auth: 'on' },
    findings: [
      ...told,
      ...rows.filter(({ id }) => !isTold.has(id)).map((row) => held.finding(row)),
      ...clientCatalogue.requirements.map(({ id }) => seenClients.finding(id)),
    ],
    observations: [],
    startedAt: new Date(first),
    durationMs: last - first,
    requests: takes.length,
    remarks: [
      `Judged from recorded traffic: ${count(takes.length, 'exchange')}, ${count(clients.length, 'client')}, ${count(users.length, 'user')} who logged in. No request was sent.`,
      ...surveyed.remarks,
      ...seenClients.remarks,
      ...redactor.warnings(),
    ],
    ...(takes.length === 0 ? { error: `No recorded request was sent to ${baseUrl.href}.` } : {}),
    engines: ['watch'],
    selected: [...catalogue.requirements, ...clientCatalogue.requirements].map(({ id }) => id),
    skipped: [],
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: () => null,
    redact: (text) => redactor.sentence(text),
  });
}

type Found = Survey & { readonly baseUrl: URL };

/** Goes through all exchanges in their order, once. */
async function heard({ takes, elsewhere, baseUrl, users, served, challengeStatus, resolutionMs }: Found, { protocol }: Spec) {
  const redactor = createRedactor(protocol, [baseUrl.href]);
  for (const { id, paraphrase } of users) redactor.user(id, paraphrase);
  const time = new TimeOfBoth(protocol.headers.date);
  const addresses = addressesOf(baseUrl, served, protocol);
  const margin = toleranceMs + dateResolutionMs + resolutionMs;
  const oracle = new Oracle({ protocol, users, addresses, time, toleranceMs: margin, off: false, isPartial: true });
  oracle.challengeStatus = challengeStatus;
  const documents = new Map<string, Exchange>();
  const challenges = new Map<string, Exchange>();
  const facts: Looked['facts'] = { off: false, challenges, ...(challengeStatus === undefined ? {} : { challengeStatus }) };
  const { subject, monitor } = monitorOf({ protocol, baseUrl, oracle, facts }, documents);
  const lacks = takes.map(({ unclear }) => unclear).find((why) => why === 'stripped' || why === 'hidden');
  const lack = lacks && unclearWords[lacks];
  const held = new Held(
    oracle,
    subject,
    lack,
    new Set([...served, protocol.link.path].map((path) => placeOf(`${baseUrl.pathname}/${path}`))),
  );
  const clients = new Map<string, { requests: LoggedRequest[]; isWhole: boolean; unclear?: string }>();
  const underWay = new Map<object, { readonly ticket: ReturnType<Oracle['begin']>; readonly logged: LoggedRequest }>();
  const others = new Set(elsewhere);
  let order = 0;
  const begin = (take: Found['takes'][number], { request, sentAtMs }: Exchange) => {
    const { method, target, headers, body = '' } = request;
    const received = { method, target, headers, body: Buffer.from(body) };
    const isElsewhere = others.has(take);
    const where = { at: isElsewhere ? 'elsewhere' : 'service', origin: originOf(take.address) } as const;
    const logged = { ...where, received, arrived: order, arrivedAtMs: sentAtMs, clockMs: 0 };
    const ofClient = clients.get(take.client) ?? { requests: [], isWhole: take.har.own !== undefined };
    clients.set(take.client, ofClient);
    if (ofClient.requests.length <= mostJudged) ofClient.requests.push(logged);
    if (isElsewhere) return;
    if (take.unclear !== undefined && take.unclear !== 'gateway') ofClient.unclear = unclearWords[take.unclear];
    underWay.set(take, { ticket: oracle.begin(plainly(request, baseUrl, protocol)), logged });
  };
  const end = (take: Found['takes'][number], exchange: Exchange) => {
    const begun = underWay.get(take);
    if (begun === undefined) return;
    const { ticket, logged } = begun;
    underWay.delete(take);
    const came = oracle.end(ticket, { ...exchange, request: ticket.plan }, take.unclear === undefined);
    const { answer } = came;
    if (answer === undefined) return;
    // Of all answers only what clients are judged by is kept.
    const kept = answer.headers.filter(([name]) => isOfProtocol(name, protocol));
    Object.assign(logged, {
      answer: { ...answer, headers: kept, body: noBody },
      answered: order,
      answeredAtMs: exchange.sentAtMs + exchange.durationMs,
    });
    for (const value of headerValues(answer, protocol.headers.token)) redactor.token(value);
    const role = take.unclear === undefined ? held.note(came) : roleOfUnclear(take);
    const isRead = came.request.method === 'GET';
    if (isRead && answer.status === 200) documents.set(came.request.target, came);
    if (isRead && role === 'challenge' && isMessageOf(role, came, subject)) challenges.set(came.request.target, came);
    // Without its body a refusal cannot be compared with the challenge.
    if (role !== undefined && (isRead || !role.startsWith('refused'))) monitor.watch(came, role, [came]);
  };
  for (const { kind, take, exchange } of inOrder([...takes, ...elsewhere])) {
    order += 1;
    (kind === 'begins' ? begin : end)(take, exchange);
    // What is still being looked at holds on to its exchange.
    if (order % 500 === 0) await monitor.findings();
  }
  return { oracle, monitor, held, clients: [...clients.values()], redactor };
}

/** What gives a token is Step B, whatever else the request carried. */
const roleOfUnclear = ({ unclear, carries, grant }: Found['takes'][number]): Role | undefined =>
  unclear === 'stripped' && carries.nonce && grant === 'token' ? 'exchange' : undefined;

/** The request without what browsers and libraries add by themselves. */
function plainly(request: RequestPlan, { host }: URL, { mediaType }: Protocol): RequestPlan {
  const accepted = ['*/*', mediaType.replace(/[^/]*$/, '*'), mediaType].map((type) => type.toLowerCase());
  const isOrdinary = ([name, value]: HeaderLine) => {
    if (name.toLowerCase() === 'host') return value.toLowerCase() === host;
    return name.toLowerCase() === 'accept' ? accepted.some((type) => value.toLowerCase().includes(type)) : ordinary.test(name);
  };
  return { ...request, headers: request.headers.filter((line) => !isOrdinary(line)) };
}

/** Counts the answers that were as they had to be, by the row that says so. */
class Held {
  private readonly counts = new Map<string, number>();
  /** About whom something was seen that counts. */
  private readonly seen = new Set<string>();
  /** What strangers got instead of the challenge, by the row about its status. */
  private readonly wrong: Finding[] = [];

  constructor(
    private readonly oracle: Oracle,
    private readonly subject: Looked,
    /** What the files lack. */
    private readonly lack: string | undefined,
    private readonly served: ReadonlySet<string>,
  ) {}

  /** Gives what the exchange is within the protocol, where that is known. */
  note(exchange: Exchange): Role | undefined {
    const expectation = this.oracle.expectationOf(exchange);
    const { protocol, facts } = this.subject;
    const { answer } = exchange;
    if (answer === undefined || isLimited(answer)) return undefined;
    // A token that was issued before the recording began, and opens.
    if (expectation.must === 'open')
      return headerValues(exchange.request, protocol.headers.token).length > 0 && grantOf(answer, protocol) === 'served'
        ? 'use'
        : undefined;
    const verdict = judge(expectation, expectation.what, exchange, { protocol, challengeStatus: facts.challengeStatus });
    if (verdict.kind === 'holds' && (expectation.must === 'granted' || this.isControlled(expectation, exchange))) this.count(expectation);
    if (expectation.must === 'challenged' && verdict.kind !== 'open') this.noteStatus(exchange);
    return roles[expectation.about];
  }

  /** A refusal counts where something that differs from it in what is wrong was granted. */
  private isControlled({ about }: Decided, { request }: Exchange): boolean {
    if (about === 'stranger') return this.served.has(placeOf(request.target));
    if (about !== 'expired-token') return this.oracle.tokens.count > 0;
    return headerValues(request, this.subject.protocol.headers.token).some((token) => this.oracle.tokens.wasHonoured(token));
  }

  private noteStatus(exchange: Exchange): void {
    const { protocol } = this.subject;
    const { request } = exchange;
    const expectation = decide('none', 'none') as Decided;
    if (request.method !== 'GET' || request.headers.length > 0 || !this.served.has(placeOf(request.target))) return;
    const verdict = judge(expectation, expectation.what, exchange, { protocol, challengeStatus: protocol.challenge.status });
    if (verdict.kind === 'holds') this.count(expectation);
    // A grant is told by the row of its address.
    if (verdict.kind !== 'fails' || verdict.given !== undefined || this.wrong.length > 0) return;
    const { expected, actual } = verdict;
    const { requirement } = expectation;
    this.wrong.push({ requirement, check: requirement, engine: 'watch', outcome: 'fail', expected, actual, chain: [exchange] });
  }

  private count({ requirement, about }: Decided): void {
    this.counts.set(requirement, (this.counts.get(requirement) ?? 0) + 1);
    this.seen.add(about);
  }

  failures(): readonly Finding[] {
    return this.wrong;
  }

  /** What is to be said of a row that no answer contradicts. */
  finding({ id, about }: Requirement): Finding {
    const times = this.counts.get(id);
    const said = { requirement: id, check: id, engine: 'watch' } as const;
    // What another failure explains is told there.
    if (this.oracle.contradictions().some(({ expectation }) => expectation.requirement === id))
      return {
        ...said,
        outcome: 'untested',
        through: 'target',
        message: 'answers contradict it; another failure in this report explains them',
      };
    if (times !== undefined) return { ...said, outcome: 'pass', restsOn: count(times, 'answer') };
    const [who] = about as readonly About[];
    const needed =
      who === undefined || this.seen.has(who)
        ? 'requests that are made for it'
        : neededBy(who, durationWords(this.subject.protocol.token.lifetimeMs));
    const why = this.lack === undefined ? '' : `${this.lack}; `;
    return {
      ...said,
      outcome: 'untested',
      through: 'call',
      message: `${why}no answer that can be judged shows it; that needs ${needed}, which hydrauth check sends`,
    };
  }
}

function neededBy(who: About, lifetime: string): string {
  return {
    stranger: 'a request without credentials to an address that is also read with a valid token',
    login: 'a login that succeeds: a challenge, and its nonce with credentials',
    'wrong-login': 'a login with wrong credentials beside one that succeeds',
    'wrong-nonce': 'a login with a wrong nonce beside one that succeeds',
    'valid-token': 'a request with a token that was issued in the recording',
    'expired-token': `a token that is used within ${lifetime} of its issue, and again afterwards`,
    'unknown-token': 'tokens that surely nobody issued',
  }[who];
}

/** The spec with the rows of services and of clients in one catalogue. */
function joined(spec: Spec): Spec {
  const { catalogue: server, clientCatalogue: client } = spec;
  const of = (id: string) => (client.rows.some((row) => row.id === id) ? client : server);
  return {
    ...spec,
    catalogue: {
      ...server,
      rows: [...server.rows, ...client.rows],
      requirements: [...server.requirements, ...client.requirements],
      row: (id) => of(id).row(id),
      requirement: (id) => of(id).requirement(id),
    },
  };
}
