import { catalogueOf, count, type Protocol, type Spec } from '../../spec/index.js';
import { judgeClients, Log, mostJudged } from '../client/index.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import { mediaTypeOf, readBody } from '../expect/index.js';
import type { Finding } from '../finding.js';
import { answerLaws } from '../laws/index.js';
import { isOfProtocol, placeOf, type Span, TargetTime } from '../oracle/index.js';
import { learnSecrets } from '../recording/index.js';
import { makeReport, type Report } from '../report/index.js';
import { explainFindings } from '../run/index.js';
import type { Role } from '../subject/index.js';
import { type Answer, type Exchange, type HeaderLine, headerValues, type RequestPlan } from '../wire/index.js';
import type { RecordedOptions } from './again.js';
import { countHeld, isOptions } from './held.js';
import { listener } from './listener.js';
import { isBelow, isRefusal, originOf, type Survey, seenIn, sentences, type Take, type Unclear, unclearWords, were } from './survey.js';

/** What browsers and libraries send by themselves, and no service may mind. */
const ordinary =
  /^(host|user-agent|accept-(language|encoding)|connection|keep-alive|cache-control|pragma|origin|referer|cookie|dnt|priority|te|content-length|upgrade-insecure-requests|sec-.*|proxy-connection|traceparent|tracestate|x-request-id|postman-token|alt-used)$/i;
/** Answers come a little late, and clocks differ. */
const toleranceMs = 1000;
const dateResolutionMs = 1000;
const noBody = Buffer.alloc(0);

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
  surveyed: Survey,
  baseUrl: URL,
  { spec, baseline = [], strict, remarks }: RecordedOptions,
): Promise<Report> {
  const { users, served, takes, otherNames } = surveyed;
  const { protocol, catalogue, clientCatalogue } = spec;
  const redactor = createRedactor(protocol, [baseUrl.href]);
  for (const { id, paraphrase } of users) redactor.user(id, paraphrase);
  const clients = new Map<string, { readonly log: Log; readonly isWhole: boolean; unclear?: string }>();
  const unclear = new Map<Unclear, number>();
  let others = 0;
  /** Tokens with which somebody logged out, and where: what they open otherwise is up to the service. */
  const loggedOut = new Map<string, Take>();
  const places = new Set([...served, protocol.link.path].map((path) => placeOf(`${baseUrl.pathname}/${path}`)));
  const base = baseUrl.href.replace(/\/+$/, '');
  const known = {
    ...{
      protocol,
      baseUrl,
      users,
      collections: served,
      reads: surveyed.reads,
      challengeStatus: surveyed.challengeStatus,
      laws: answerLaws,
    },
    ...{ time: new TimeOfBoth(protocol.headers.date), toleranceMs: toleranceMs + dateResolutionMs + surveyed.resolutionMs },
    ...{ off: false, isPartial: true },
  };
  const { subject, oracle, monitor, hear } = listener(surveyed, known);
  const held = countHeld(subject, places);
  await hear(({ take, entry, exchange }) => {
    learnSecrets(exchange, protocol, redactor);
    const seen = seenIn(entry, exchange, protocol);
    const isHere = isBelow(seen.address, base);
    if (!isHere) others += 1;
    // Browsers write ws for http where they open a WebSocket.
    if (
      !isHere &&
      (seen.address === '' || otherNames.has(originOf(seen.address)) || isBelow(seen.address.replace(/^ws/, 'http'), baseUrl.origin))
    )
      return undefined;
    const client = clients.get(seen.client) ?? { log: new Log(protocol, mostJudged), isWhole: take.har.own !== undefined };
    clients.set(seen.client, client);
    const logged = client.log.arrive(isHere ? 'service' : 'elsewhere', originOf(seen.address), exchange.request, take.sentAtMs);
    if (!isHere) return undefined;
    const why = surveyed.unclear(take.har, seen);
    if (why !== undefined) unclear.set(why, (unclear.get(why) ?? 0) + 1);
    if (why !== undefined && why !== 'gateway') client.unclear = unclearWords[why];
    if (isLogOut(exchange.request)) for (const token of seen.sent.token) loggedOut.set(token, loggedOut.get(token) ?? take);
    // That something is not there, is not asked for rightly or stands elsewhere is no refusal of a token. The vocabulary is there.
    const isAside = seen.sent.token.length > 0 && seen.grant === 'nothing' && !isRefusal(seen, protocol) && seen.status < 500;
    const isMissing = isAside && [404, 410].includes(seen.status) && seen.isRead && seen.address === `${base}${protocol.link.path}`;
    // When the answer has come: who logs out may overtake what was sent before.
    const isJudged = () => why === undefined && !isAside && seen.sent.token.every((token) => (loggedOut.get(token) ?? take) === take);
    const ends = (came: Exchange): Role | undefined => {
      const { answer } = came;
      if (answer === undefined) return undefined;
      // Of all answers only what clients are judged by is kept.
      const headers = answer.headers.filter(([name]) => isOfProtocol(name, protocol));
      client.log.answer(logged, { ...answer, headers, body: noBody }, came.sentAtMs + came.durationMs);
      if (isMissing && why === undefined) held.missing(came);
      // What gives a token is Step B, whatever else the request carried.
      const isStepB = why === 'stripped' && seen.sent.nonce.length > 0 && seen.grant === 'token';
      const role = isJudged() ? held.note(came) : isStepB ? 'exchange' : undefined;
      if (role === 'challenge' || role === 'exchange') return role;
      // Without its body a refusal cannot be compared with the challenge, and how changes, pictures or pages are answered the text does not say.
      return seen.isRead && (role !== 'use' || mayBeDocument(answer, exchange.request, protocol)) ? role : undefined;
    };
    return {
      plan: plainly(exchange.request, baseUrl, protocol),
      isHeld: () => isJudged() && !isOptions(exchange.request),
      ends,
    };
  });
  const seenClients = judgeClients([...clients.values()]);
  for (const { id, paraphrase } of seenClients.traffic.flatMap(({ users: seen }) => seen))
    redactor.secret(paraphrase, `paraphrase of user ${id}`);
  const rows = catalogue.requirements.filter(({ auth, engines }) => auth !== 'off' && engines.length > 0);
  const explained = explainFindings([...(await monitor.findings()), ...held.wrong], {
    ...{ catalogue, protocol, oracle, sinceMs: 0 },
    selected: new Set(rows.map(({ id }) => id)),
    firstPlace: placeOf(`${baseUrl.pathname}/${served[0] ?? ''}`),
  });
  const told = explained.filter(({ outcome }) => outcome !== 'untested').map((each): Finding => ({ ...each, engine: 'watch' }));
  const isTold = new Set(told.map(({ requirement }) => requirement));
  const contradicted = new Set(oracle.contradictions().map(({ expectation }) => expectation.requirement));
  const lack = (['stripped', 'hidden'] as const).find((why) => unclear.has(why));
  const lackWords = lack && unclearWords[lack];
  const [first, last] = [takes[0], takes.at(-1)].map((take) => take?.sentAtMs ?? 0) as [number, number];
  const requests = takes.length - others;
  return makeReport({
    spec: joined(spec),
    options: { auth: 'on', seed: 0, runs: 0, baseline, strict },
    target: {
      url: base,
      collections: served.map((path) => redactor.text(path)),
      users: users.map(({ id }) => id),
      clock: 'wait',
      auth: 'on',
    },
    findings: [
      ...told,
      ...rows.filter(({ id }) => !isTold.has(id)).map((row) => held.finding(row, contradicted, lackWords)),
      ...clientCatalogue.requirements.map(({ id }) => seenClients.finding(id)),
    ],
    observations: [],
    ...{ startedAt: new Date(first), durationMs: last - first, requests },
    remarks: sentences(
      `Judged from recorded traffic: ${count(requests, 'exchange')}, ${count(clients.size, 'client')}, ${count(users.length, 'user')} who logged in. No request was sent.`,
      ...remarks,
      others > 0 && `${count(others, 'exchange')} with other addresses ${were(others)} left out.`,
      ...surveyed.remarks,
      ...[...unclear].map(([why, times]) => `${count(times, 'exchange')} ${were(times)} not judged: ${unclearWords[why]}.`),
      ...seenClients.remarks,
      ...redactor.warnings(),
    ),
    ...(requests === 0 ? { error: `No recorded request was sent to ${baseUrl.href}.` } : {}),
    engines: ['watch'],
    selected: [...catalogue.requirements, ...clientCatalogue.requirements].map(({ id }) => id),
    skipped: [],
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: () => null,
    redact: (text) => redactor.sentence(text),
  });
}

/** As services name it that have it. */
function isLogOut({ method, target }: RequestPlan): boolean {
  const [path = ''] = target.split('?');
  return /\/((log|sign)[-_]?(out|off)|revoke)(\/|$)/i.test(path) || (method === 'DELETE' && /\/(session|token|login)s?(\/|$)/i.test(path));
}

/** Of other media types, which a request may ask for by name, and of what is empty, the text does not speak. */
function mayBeDocument(answer: Answer, request: RequestPlan, { mediaType }: Protocol): boolean {
  const type = mediaTypeOf(headerValues(answer, 'content-type')[0] ?? '') ?? '';
  const isAskedFor = type !== mediaType.toLowerCase() && headerValues(request, 'accept').some((each) => each.toLowerCase().includes(type));
  // Of an answer that had not changed, browsers keep the body that they had, and the headers of the 304.
  const isConditional = request.headers.some(([name]) => /^if-(none-match|modified-since)$/i.test(name));
  const isFile = headerValues(answer, 'content-disposition').some((each) => /^\s*attachment/i.test(each));
  if (answer.status !== 200 || isConditional || isFile) return false;
  return type === '' || (!isAskedFor && (/[/+]json$/.test(type) || readBody(answer).value instanceof Object));
}

/** The request without what browsers and libraries add by themselves. */
function plainly(request: RequestPlan, { host }: URL, { mediaType }: Protocol): RequestPlan {
  const accepted = ['*/*', mediaType.replace(/[^/]*$/, '*'), mediaType].map((type) => type.toLowerCase());
  const isOrdinary = ([name, value]: HeaderLine) => {
    if (name.toLowerCase() === 'host') return value.toLowerCase() === host;
    return name.toLowerCase() === 'accept' ? accepted.some((type) => value.toLowerCase().includes(type)) : ordinary.test(name);
  };
  return { ...request, headers: request.headers.filter((line) => !isOrdinary(line)) };
}

/** The spec with the rows of services and of clients in one catalogue. */
function joined({ catalogue: { version, sources, rows }, ...spec }: Spec): Spec {
  return { ...spec, catalogue: catalogueOf(version, sources, [...rows, ...spec.clientCatalogue.rows]) };
}
