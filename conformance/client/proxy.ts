import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limitConnections } from '../../reference-server/index.js';
import { isBaseUrl, OptionError, type Protocol } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import { recorder } from '../recording/index.js';
import type { Report } from '../report/index.js';
import { listenAt } from '../wire/index.js';
import { type ProxyOptions, rowSettings, targetOf } from './options.js';
import { clientReport, judgeClients, mostJudged } from './report.js';
import { isLogin, Log, planOf, type Traffic } from './traffic.js';
import type { Came, Observe, Outgoing, Problem, Switched } from './upstream.js';
import { loginsOf, missing, noAnswer, upstreamOf } from './upstream.js';

/** Listens in front of a service. Logs in for whoever uses it where a user is given; otherwise watches the client. */
export async function openProxy(options: ProxyOptions) {
  const { user, record, onProblem } = options;
  if (!isBaseUrl(options.baseUrl))
    throw new OptionError('baseUrl', 'not allowed; an http or https URL without user, query and fragment is');
  const service = new URL(options.baseUrl);
  const settings = rowSettings(options);
  const startedAt = new Date();
  const { protocol } = settings.spec;
  const isWatch = user === undefined;
  const log = new Log(protocol, mostJudged);
  const users = user === undefined ? [] : [{ id: String(user.id), paraphrase: user.paraphrase }];
  const recording = record === undefined ? undefined : recorder({ file: record, protocol, baseUrl: service, users });
  const observe: Observe = (sent) => {
    const sentAtMs = performance.now();
    const logged = isWatch ? log.arrive('service', service.origin, planOf(sent)) : undefined;
    let durationMs: number | undefined;
    return (answer, over) => {
      if (durationMs === undefined) log.answer(logged, answer ?? missing);
      durationMs ??= performance.now() - sentAtMs;
      if (over === undefined) return;
      const request = planOf(sent);
      recording?.note({ request, ...(answer && { answer }), ...over, sentAtMs, durationMs });
      log.complete(logged, request, answer);
    };
  };
  const relay = await openRelay(service, protocol, options, isWatch || recording !== undefined ? observe : undefined);
  const url = service.href.replace(/\/$/, '');
  const reportOnClient = (): Report => {
    const seen = judgeClients([{ log, isWhole: true }]);
    return clientReport(settings, {
      ...{ engine: 'watch', startedAt, traffic: seen.traffic, remarks: seen.remarks },
      target: targetOf(url, { way: 'watch', name: `a client of ${url}` }),
      findings: (row) => [seen.finding(row)],
      error: seen.traffic.map(noLogin).find((why) => why !== undefined),
    });
  };
  /** Stops listening; gives why no login worked, and what is to be said of a client that was watched. */
  const end = async () => {
    await relay.close();
    const unwritten = recording?.close() ?? [];
    for (const each of unwritten) onProblem?.(each);
    return { loginFailure: relay.loginFailure(), isRecorded: unwritten.length === 0, report: isWatch ? reportOnClient() : undefined };
  };
  return { url: `${relay.origin}${service.pathname.replace(/\/$/, '')}`, end };
}

/** Why there is no verdict: who was not seen to log in was not seen as a client of this protocol. */
function noLogin({ acts, nonces, protocol }: Traffic): string | undefined {
  if (acts.length === 0) return 'No request came, so the client cannot be judged.';
  if (acts.some(({ became }) => became === 'exchange')) return undefined;
  const refused = acts.filter(isLogin).at(-1)?.answer;
  if (refused !== undefined)
    return `No login of the client worked: the last was answered with ${refused.status}. ${refused.status < 500 ? 'Check its user and paraphrase, and watch it again' : 'Watch it again when the service answers'}.`;
  if (nonces.length === 0 && acts.some(({ became }) => became === 'challenge'))
    return `The service gave no ${protocol.headers.nonce} header with its challenge, so nobody can log in as the protocol says. If it follows another profile, give that with --spec.`;
  if (acts.some(({ nonce, token }) => (nonce ?? token) !== undefined))
    return 'The client had logged in before the watch began. Let it log in while it is watched.';
  return 'The client did not log in while it was watched. Use it until it has read something.';
}

/** A body of this length is kept until the answer is there, so that it can be sent again with a new token; so many octets of all of them. */
const [largestKept, mostKept] = [1024 * 1024, 32 * 1024 * 1024];
/** What one side has ended the other may not keep open for longer. */
const closingMs = 1000;
/** So many requests may be under way: whoever sends them without waiting for an answer would fill the memory. */
const mostUnderWay = 4096;
const ignore = () => {};
function leave(this: Duplex): void {
  this.destroy();
}

/** Listens in front of one service and passes requests and answers on as they come. */
async function openRelay(service: URL, protocol: Protocol, options: ProxyOptions, observe?: Observe) {
  const { user, ca, insecure = false, host, nowMs = () => performance.now(), onProblem = () => {} } = options;
  const upstream = upstreamOf(service, { insecure, ...(ca === undefined ? {} : { ca: readCertificates(ca) }) }, observe);
  let isOpen = true;
  // A login that our own end breaks off is no problem of the service.
  const tell = (text: string) => void (isOpen && onProblem(text));
  const logins = user === undefined ? undefined : loginsOf(upstream, user, protocol, nowMs, tell);
  const { authorization, nonce, token } = protocol.headers;
  const secrets = logins === undefined ? [] : [authorization, nonce, token].map((name) => name.toLowerCase());
  const notSent = leftOut('host', 'content-length', 'expect', ...secrets);
  const notShown = leftOut(...secrets.slice(2));
  /** Headers of answers in which addresses of the service may stand. */
  const withAddresses = ['location', 'content-location', protocol.headers.link.toLowerCase()];
  const switched = new Set<Duplex>();
  let [kept, requests] = [0, 0];
  let port = '';
  let inside: (text: string) => string;

  const bodyOf = async (req: IncomingMessage, res: ServerResponse): Promise<Outgoing['body']> => {
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
    if (length === undefined && coding === undefined) return undefined;
    const octets = Number(length);
    if (coding !== undefined || octets > largestKept || kept + octets > mostKept) return req;
    kept += octets;
    res.once('close', () => (kept -= octets));
    return buffer(req);
  };

  const handle = async (req: IncomingMessage, res: ServerResponse, near?: Switched): Promise<void> => {
    const refusal = hostless(req) ?? (logins === undefined ? undefined : refusalOf(req, port));
    if (refusal !== undefined) return say(refusal, res);
    const request: Outgoing = {
      ...{ method: req.method ?? '', target: req.url ?? '', body: await bodyOf(req, res), waiting: res },
      headers: ['Host', service.host, ...passedOn(req, notSent)],
      upgrade: near === undefined ? undefined : req.headers.upgrade,
    };
    const came = await (logins ?? upstream).ask(request).catch(noAnswer);
    if ('text' in came) return say(came, res);
    const lines = passedOn(came, notShown).map((each, at, all) =>
      at % 2 === 1 && withAddresses.includes((all[at - 1] as string).toLowerCase()) ? inside(each) : each,
    );
    if (came.switched !== undefined && near !== undefined) {
      res.detachSocket(req.socket);
      return join(came, came.switched, near, lines);
    }
    if (came.statusCode === 101) {
      came.switched?.socket.destroy();
      return say({ status: 502, text: 'The service changed to another protocol, which nobody had asked for.' }, res);
    }
    res.sendDate = false;
    res.writeHead(came.statusCode ?? 502, came.statusMessage, lines);
    // An answer without a length may be slow to begin, such as events.
    if (came.headers['content-length'] === undefined) res.flushHeaders();
    came.on('error', () => res.destroy());
    came.pipe(res);
  };

  const join = (came: Came, far: Switched, near: Switched, lines: readonly string[]): void => {
    const head = ['Connection', 'Upgrade', 'Upgrade', came.headers.upgrade ?? '', ...lines];
    const text = head.map((each, at) => (at % 2 === 0 ? `${each}: ` : `${each}\r\n`)).join('');
    near.socket.write(`HTTP/1.1 101 ${came.statusMessage}\r\n${text}\r\n`, 'latin1');
    near.socket.write(far.head);
    far.socket.write(near.head);
    near.socket.off('end', leave);
    for (const { socket } of [near, far]) socket.once('finish', () => setTimeout(() => socket.destroy(), closingMs).unref());
    pipeline(near.socket, far.socket, near.socket, ignore);
  };

  /** The answers under way on a connection. Of several, Node.js tells only the first that the client has left. */
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
  const answersOn = (socket: Duplex) => {
    const known = underWay.get(socket);
    if (known !== undefined) return known;
    const answers = new Set<ServerResponse>();
    socket.once('close', () => {
      switched.delete(socket);
      for (const each of answers) each.destroy().emit('close');
    });
    underWay.set(socket, answers);
    return answers;
  };
  const enter = ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answers = answersOn(socket);
    if (answers.has(res)) return;
    answers.add(res);
    requests += 1;
    res.once('close', () => {
      answers.delete(res);
      requests -= 1;
    });
    if (requests > mostUnderWay) socket.destroy();
  };
  const take = (req: IncomingMessage, res: ServerResponse, near?: Switched) => {
    enter(req, res);
    if (req.socket.destroyed) return;
    for (const stream of [req, res]) stream.on('error', ignore);
    // What a service may write into a status line, we may not.
    handle(req, res, near).catch((error) => (res.headersSent ? req.socket.destroy() : say(noAnswer(error), res)));
  };
  /** Acts when the answers that are under way on a connection have gone out. */
  const afterAnswers = (socket: Duplex, act: () => unknown): unknown => {
    const before = [...answersOn(socket)].at(-1);
    return before === undefined ? act() : before.once('close', act);
  };
  // Whatever Node.js answered by itself would still be under way, unknown to us, when the next request on its connection comes.
  const server = createServer({ requireHostHeader: false }, (req, res) => take(req, res));
  server.on('checkExpectation', (req, res) => take(req, res));
  server.on('checkContinue', (req, res) => {
    // Node.js would write it into an answer that has to wait, and close the connection where the answer comes before it.
    afterAnswers(req.socket, () => {
      res.writeContinue();
      take(req, res);
    });
    enter(req, res);
  });
  const change = (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!socket.writable) return;
    // The answer before has set one for an idle connection.
    req.socket.setTimeout(0);
    if (req.headers.upgrade?.toLowerCase() !== 'websocket')
      return void server.emit('connection', withoutUpgrade(req, socket.off('end', leave), head));
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(req.socket);
    res.once('finish', () => socket.end());
    take(req, res, { socket, head });
  };
  server.on('upgrade', (req, socket, head) => {
    // It may come again with its next request.
    socket.off('error', ignore).on('error', ignore);
    // Node.js neither reads nor closes it any more, even while answers before are still under way.
    switched.add(socket.once('end', leave));
    socket.read(0);
    afterAnswers(socket, () => change(req, socket, head));
  });
  limitConnections(server);
  const listener = await listenAt(server, host, options.port);
  port = new URL(listener.origin).port || '80';
  const ours = new RegExp(`(^|<)${service.origin.replace(/[.[\]]/g, '\\$&')}(?=[/?#>]|$)`, 'gi');
  inside = (text) => text.replace(ours, `$1${listener.origin}`);
  return {
    origin: listener.origin,
    loginFailure: () => logins?.failure(),
    async close() {
      isOpen = false;
      for (const socket of switched) socket.destroy();
      upstream.close();
      await listener.close();
    },
  };
}

/** The connection with its request once more, which asks for no other protocol: what we do not speak may be ignored (RFC 9110, 7.8). */
function withoutUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Duplex {
  const lines = req.rawHeaders.map((each, at, all) =>
    at % 2 === 0 ? '' : /^upgrade$/i.test(all[at - 1] as string) ? '' : `${all[at - 1]}: ${each}\r\n`,
  );
  socket.unshift(Buffer.concat([Buffer.from(`${req.method} ${req.url} HTTP/${req.httpVersion}\r\n${lines.join('')}\r\n`, 'latin1'), head]));
  return socket;
}

function say({ status, text }: Problem, res: ServerResponse): void {
  const body = `${text}\n`;
  const allow = status === 405 ? { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } : {};
  res.statusMessage = ''; // that of the service may be there from an earlier attempt
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(body), ...allow });
  res.end(body);
}

/** Lines about one connection, which end there (RFC 9110, 7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Which lines are not passed on: those of the connection, and these, in small letters. */
const leftOut = (...names: string[]): ReadonlySet<string> => new Set([...hopByHop, ...names]);

/** The header lines that are passed on, name and value in turn. `Connection` may name more that are not. */
function passedOn({ rawHeaders, headers: { connection = '' } }: IncomingMessage, left: ReadonlySet<string>): string[] {
  const named = connection === '' || connection === 'keep-alive' ? [] : connection.toLowerCase().split(/[\s,]+/);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const lower = name.toLowerCase();
    if (!left.has(lower) && !named.includes(lower)) kept.push(name, rawHeaders[at + 1] as string);
  }
  return kept;
}

/** RFC 9112, section 3.2. */
function hostless({ headers: { host }, httpVersion }: IncomingMessage): Problem | undefined {
  return host === undefined && httpVersion === '1.1' ? { status: 400, text: 'The request has no Host header.' } : undefined;
}

/**
 * Why a request is not passed on with a token. A name that leads here by DNS is not ours, and pages of other sites may reach us through a browser:
 * they give themselves away by Sec-Fetch-Site or, where a browser does not send it (WebSocket), by Origin.
 */
function refusalOf({ method, url = '', headers }: IncomingMessage, port: string): Problem | undefined {
  const { host = '', origin } = headers;
  const [, name, namedPort = '80'] = /^(127\.0\.0\.1|localhost)(?::(\d+))?$/i.exec(host) ?? [];
  if (name === undefined || namedPort !== port)
    return { status: 421, text: `This proxy answers only requests to 127.0.0.1:${port} and localhost:${port}.` };
  if (!url.startsWith('/')) return { status: 421, text: 'This proxy stands for one service; ask it for a path, not for a whole address.' };
  const isOfAnotherSite = origin !== undefined && (!URL.canParse(origin) || new URL(origin).hostname !== name.toLowerCase());
  if (isOfAnotherSite || headers['sec-fetch-site'] === 'cross-site')
    return { status: 403, text: 'Pages of other sites may not use this proxy.' };
  // It would send the token back.
  if (method === 'TRACE') return { status: 405, text: 'This proxy does not pass TRACE on.' };
  return undefined;
}
