import { count, durationWords, type Requirement, type Spec } from '../../spec/index.js';
import { judgeRecordedClients, type LoggedRequest } from '../client/index.js';
import { createRedactor, recordChain, truncateBody } from '../evidence/index.js';
import { createExpander, isLimited } from '../expect/index.js';
import type { Finding } from '../finding.js';
import { answerLaws } from '../laws/index.js';
import { type About, addressesOf, type Decided, decide, grantOf, judge, Oracle, placeOf, type Span, TargetTime } from '../oracle/index.js';
import { makeReport, type Report } from '../report/index.js';
import { explainFindings, monitorAnswers } from '../run/index.js';
import { isMessageOf, type Looked, type Role } from '../subject/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import { notRecorded } from './again.js';
import type { RecordedOptions } from './options.js';
import type { Survey } from './survey.js';
import { inOrder, pathOf } from './takes.js';

/** What browsers and libraries send by themselves, and no service may mind. */
const ordinary =
  /^(host|user-agent|accept-(language|encoding)|connection|keep-alive|cache-control|pragma|origin|referer|cookie|dnt|priority|te|content-length|upgrade-insecure-requests|sec-.*|traceparent|tracestate|x-request-id)$/i;
const acceptsAll = /\*\/\*|application\/(\*|ld\+json)/i;
/** Answers come a little late, and clocks differ. */
const toleranceMs = 1000;

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
export async function judgeForeign(
  surveyed: Survey & { readonly baseUrl: URL },
  { spec, baseline = [], strict }: RecordedOptions,
): Promise<Report> {
  const { takes, baseUrl, users, challengeStatus } = surveyed;
  const { protocol } = spec;
  const redactor = createRedactor(protocol, [baseUrl.href]);
  for (const { id, paraphrase } of users) redactor.user(id, paraphrase);
  const addresses = addressesOf(baseUrl, surveyed.served, protocol);
  const time = new TimeOfBoth(protocol.headers.date);
  const margin = toleranceMs + 1000 + surveyed.resolutionMs;
  const oracle = new Oracle({ protocol, users, addresses, time, toleranceMs: margin, off: false, isPartial: true });
  oracle.challengeStatus = challengeStatus;
  const documents = new Map<string, Exchange>();
  const challenges = new Map<string, Exchange>();
  const facts: Looked['facts'] = { off: false, challenges, ...(challengeStatus === undefined ? {} : { challengeStatus }) };
  const expander = createExpander({ baseUrl, fetchContext: async ({ href }) => documents.get(pathOf(href)) ?? notRecorded(pathOf(href)) });
  const subject: Looked = { protocol, baseUrl, oracle, facts, expander, firstSeen: new Map() };
  const monitor = monitorAnswers(answerLaws, () => subject);
  const held = new Held(oracle, subject, new Set(surveyed.served.map((path) => placeOf(`${addresses.basePath}/${path}`))));
  const clients = new Map<string, LoggedRequest[]>();
  const tickets = new Map<
    object,
    { readonly ticket: ReturnType<Oracle['begin']>; readonly logged: LoggedRequest; readonly plain: Exchange }
  >();
  let turns = 0;
  for (const { kind, take, exchange } of inOrder(takes, pathOf)) {
    turns += 1;
    if (kind === 'begins') {
      const { method, target, headers, body = '' } = exchange.request;
      const plain = {
        ...exchange,
        request: { ...exchange.request, headers: headers.filter(([name, value]) => !isOrdinary(name, value, baseUrl)) },
      };
      const received = { method, target, headers, body: Buffer.from(body) };
      const logged: LoggedRequest = {
        at: 'service',
        origin: baseUrl.origin,
        received,
        arrived: turns,
        arrivedAtMs: take.sentAtMs,
        clockMs: 0,
      };
      clients.set(take.client, [...(clients.get(take.client) ?? []), logged]);
      tickets.set(take, { ticket: oracle.begin(plain.request), logged, plain });
      continue;
    }
    const { ticket, logged, plain } = tickets.get(take) as NonNullable<ReturnType<typeof tickets.get>>;
    tickets.delete(take);
    const came = oracle.end(ticket, plain);
    const { answer } = truncateBody(came);
    if (answer === undefined) continue;
    Object.assign(logged, { answer, answered: turns, answeredAtMs: take.sentAtMs + take.durationMs });
    for (const [name, label] of [
      [protocol.headers.token, 'token'],
      [protocol.headers.nonce, 'nonce'],
    ] as const)
      for (const value of headerValues(answer, name)) redactor.secret(value, label);
    if (came.answer?.status === 200 && came.request.method === 'GET') documents.set(came.request.target, came);
    const role = held.note(came);
    if (role === 'challenge' && isMessageOf(role, came, subject) && !challenges.has(came.request.target))
      challenges.set(came.request.target, came);
    if (role !== undefined) monitor.watch(came, role, [came]);
  }
  const seenClients = judgeRecordedClients([...clients.values()], protocol);
  for (const { id, paraphrase } of seenClients.users) redactor.user(String(id), paraphrase);
  const selected = new Set(spec.catalogue.rows.filter(({ auth }) => auth !== 'off').map(({ id }) => id));
  const found = (await monitor.findings()).map((each): Finding => (each.outcome === 'untested' ? { ...each, through: 'call' } : each));
  const explained = explainFindings([...found, ...held.failures()], {
    ...{ catalogue: spec.catalogue, protocol, oracle, selected, known: new Set<string>(), sinceMs: 0 },
    firstPlace: placeOf(`${addresses.basePath}/${surveyed.served[0] ?? ''}`),
  });
  const answered = new Set(explained.filter(({ outcome }) => outcome !== 'untested').map(({ requirement }) => requirement));
  const rows = spec.catalogue.requirements.filter(({ id, engines }) => selected.has(id) && engines.length > 0);
  const both = joined(spec);
  return makeReport({
    spec: both,
    options: { auth: 'on', seed: 0, runs: 0, baseline, strict },
    target: {
      url: baseUrl.href.replace(/\/$/, ''),
      collections: surveyed.served,
      users: users.map(({ id }) => id),
      clock: 'none',
      auth: 'on',
    },
    findings: [
      ...explained.filter(({ requirement, outcome }) => (outcome !== 'untested' && !held.has(requirement)) || answered.has(requirement)),
      ...rows.flatMap((row) => (answered.has(row.id) ? [] : [held.finding(row)])),
      ...spec.clientCatalogue.requirements.map(({ id }) => seenClients.finding(id)),
    ],
    observations: [],
    startedAt: new Date(takes[0]?.sentAtMs ?? 0),
    durationMs: Math.round(Math.max(0, ...takes.slice(-1).map((last) => last.sentAtMs - (takes[0]?.sentAtMs ?? 0)))),
    requests: takes.length,
    remarks: [
      `Judged from recorded traffic: ${count(takes.length, 'exchange')} with ${baseUrl.href}, ${count(clients.size, 'client')}, ${count(users.length, 'user')}. No request was sent.`,
      ...surveyed.remarks,
      ...seenClients.remarks,
      ...redactor.warnings(),
    ],
    engines: ['laws', 'watch'],
    selected: [...selected, ...spec.clientCatalogue.requirements.map(({ id }) => id)],
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: () => null,
    redact: (text) => redactor.sentence(text),
  });
}

/** Whether a header line says nothing that an answer may depend on. */
function isOrdinary(name: string, value: string, { host }: URL): boolean {
  if (name.toLowerCase() === 'host') return value.toLowerCase() === host;
  return name.toLowerCase() === 'accept' ? acceptsAll.test(value) : ordinary.test(name);
}

/** Counts the answers that were as they had to be, by the row that says so. */
class Held {
  private readonly counts = new Map<string, number>();
  /** What strangers got instead of the challenge, by the row about its status. */
  private readonly wrong: Finding[] = [];

  constructor(
    private readonly oracle: Oracle,
    private readonly subject: Looked,
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
    if (verdict.kind === 'holds' && (expectation.must === 'granted' || this.isControlled(expectation, exchange)))
      this.count(expectation.requirement);
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
    if (verdict.kind === 'holds') this.count(expectation.requirement);
    // A grant is told by the row of its address.
    if (verdict.kind !== 'fails' || verdict.given !== undefined || this.wrong.length > 0) return;
    const { expected, actual } = verdict;
    const { requirement } = expectation;
    this.wrong.push({ requirement, check: requirement, engine: 'laws', outcome: 'fail', expected, actual, chain: [exchange] });
  }

  private count(row: string): void {
    this.counts.set(row, (this.counts.get(row) ?? 0) + 1);
  }

  has(row: string): boolean {
    return this.counts.has(row);
  }

  failures(): readonly Finding[] {
    return this.wrong;
  }

  /** What is to be said of a row that no answer contradicts. */
  finding({ id, about }: Requirement): Finding {
    const times = this.counts.get(id);
    const said = { requirement: id, check: id, engine: 'laws' } as const;
    if (times !== undefined) return { ...said, outcome: 'pass', restsOn: count(times, 'answer') };
    const [who] = about as readonly About[];
    const needed =
      who === undefined ? 'requests that are made for it' : neededBy(who, durationWords(this.subject.protocol.token.lifetimeMs));
    return {
      ...said,
      outcome: 'untested',
      through: 'call',
      message: `the recording shows nothing about it; that needs ${needed}, which hydrauth check sends`,
    };
  }
}

function neededBy(who: About, lifetime: string): string {
  return {
    stranger: 'a request without credentials to an address that is also read with a valid token',
    login: 'a login: a challenge, and its nonce with credentials',
    'wrong-login': 'a login with wrong credentials beside one that succeeds',
    'wrong-nonce': 'a login with a wrong nonce beside one that succeeds',
    'valid-token': 'a request with a token that was issued in the recording',
    'expired-token': `a token that is used within ${lifetime} of its issue, and again afterwards`,
    'unknown-token': 'tokens that nobody issued',
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
