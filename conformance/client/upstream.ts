import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type Duplex, Readable, Transform } from 'node:stream';
import type { Protocol } from '../../spec/index.js';
import { headerLine, mostLookedAt } from '../recording/index.js';
import { exchange, isRefusal, type StepAnswer } from '../reference-client/steps.js';
import { type Answer, type HeaderLine, Pieces, type WireProblem } from '../wire/index.js';
import type { ClientUser, Received } from './traffic.js';

export interface Outgoing {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, without those of framing. */
  readonly headers: readonly string[];
  /** Nothing, octets that can be sent again, or a stream that cannot. */
  readonly body: Buffer | IncomingMessage | undefined;
  /** Another protocol that the connection is to change to. */
  readonly upgrade?: string | undefined;
  /** When this closes nobody waits for the answer any more. */
  readonly waiting?: ServerResponse;
  /** Of a login, for which all others wait: until when the head of the answer must be there. */
  readonly timeoutMs?: number;
}

export interface Switched {
  readonly socket: Duplex;
  readonly head: Buffer;
}

export type Came = IncomingMessage & { switched?: Switched };

/** Is told of every request that is sent, and then of its answer: when the head has come, so that whoever asked can act on it, and when it is over. */
export type Observe = (sent: Received) => (answer: Answer | undefined, over?: { readonly problem?: WireProblem }) => void;

export type Upstream = ReturnType<typeof upstreamOf>;

const longestDiscardMs = 10_000;
/** So many connections are open to the service; further requests wait for one. A login has one more, as all of them may wait for it. */
const maxSockets = 256;

/** Node.js frames other methods by itself, even where there is no body. */
const unframed: readonly string[] = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'];

/** A connection that was kept may be closed by the service just when a request goes out on it. A login may have spent its nonce by then. */
const maySendAgain = ({ method, body, headers }: Outgoing) =>
  (method === 'GET' || method === 'HEAD') && body === undefined && !headers.some((name) => /^authorization$/i.test(name));

export function upstreamOf(
  { protocol, hostname, port }: URL,
  { ca, insecure }: { readonly ca?: string; readonly insecure?: boolean } = {},
  observe?: Observe,
) {
  const secure = protocol === 'https:';
  const { request, Agent } = secure ? https : http;
  const trust = secure ? { rejectUnauthorized: insecure !== true, ...(ca === undefined ? {} : { ca }) } : {};
  const agent = new Agent({ keepAlive: true, maxSockets: maxSockets + 1, ...trust });
  const host = hostname.replace(/^\[|\]$/g, '');
  /** What waits for a connection. Node.js would keep what nobody waits for any more, as long as the service answers nothing. */
  const line = new Set<() => ClientRequest | undefined>();
  let open = 0;
  const proceed = () => {
    for (const begin of line) {
      if (open >= maxSockets) return;
      line.delete(begin);
      const asking = begin();
      if (asking === undefined) continue;
      open += 1;
      asking.once('close', () => {
        open -= 1;
        proceed();
      });
    }
  };
  /** Sends a request to the one origin and gives the head of the answer. No redirect is followed. */
  const ask = (outgoing: Outgoing, before?: ReturnType<typeof observedBy>): Promise<Came> =>
    new Promise((resolve, reject) => {
      const { waiting } = outgoing;
      if (waiting?.destroyed) return reject(new Error('the client has left'));
      let asking: ClientRequest | undefined;
      let answer: Came | undefined;
      const begin = () => {
        try {
          asking = begun();
          return asking;
        } catch (error) {
          return void reject(error);
        }
      };
      const begun = () => {
        const { method, target, body, timeoutMs } = outgoing;
        const headers = [...outgoing.headers, ...framing(outgoing)];
        const asking = request({ host, port, method, path: target, agent, headers } as http.RequestOptions);
        const observed = before ?? (observe === undefined ? undefined : observedBy(observe, outgoing, headers));
        asking.on('response', (came) => {
          answer = came;
          // A service that has answered takes no more.
          came.once('end', () => asking.writableFinished || asking.destroy());
          observed?.(came);
          resolve(came);
        });
        asking.on('upgrade', (came, socket, head) => {
          observed?.(came);
          resolve(Object.assign(came, { switched: { socket, head } }));
        });
        asking.on('error', (error: NodeJS.ErrnoException) => {
          if (asking.reusedSocket && error.code === 'ECONNRESET' && maySendAgain(outgoing))
            return void ask(outgoing, observed).then(resolve, reject);
          observed?.(error);
          reject(error);
        });
        if (timeoutMs !== undefined) {
          const late = () => asking.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
          const timer = setTimeout(late, timeoutMs);
          for (const event of ['response', 'upgrade', 'close']) asking.once(event, () => clearTimeout(timer));
        }
        send(body, asking);
        return asking;
      };
      waiting?.once('close', () => {
        if (line.delete(begin)) reject(new Error('the client has left'));
        // An answer that we could not pass on is read by nobody.
        else if (!answer?.readableEnded) asking?.destroy();
      });
      if (outgoing.timeoutMs !== undefined) return void begin();
      line.add(begin);
      proceed();
    });
  return { ask, close: () => agent.destroy() };
}

/** Reads the rest of an answer that nobody wants, so that its connection can be used again. One without end is closed. */
function discard(came: Came): void {
  let octets = 0;
  const timer = setTimeout(() => came.destroy(), longestDiscardMs);
  came.once('close', () => clearTimeout(timer));
  came.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets > mostLookedAt) came.destroy();
  });
  came.resume();
  came.switched?.socket.destroy();
}

function send(body: Outgoing['body'], asking: ClientRequest): void {
  if (!(body instanceof Readable)) return void asking.end(body);
  // Node.js reads nothing after a write that failed. So what the service answered, before it closed, is read before more is sent.
  const paced = new Transform({ transform: (chunk, _coding, done) => void setImmediate(done, null, chunk) });
  body.pipe(paced).pipe(asking);
  // The client may go on all the same.
  asking.once('close', () => body.unpipe(paced).resume());
}

/** The lines that say how long the body is. What has none is never followed by octets. */
function framing({ method, body, upgrade }: Outgoing): string[] {
  if (upgrade !== undefined) return ['Connection', 'Upgrade', 'Upgrade', upgrade];
  if (body === undefined) return unframed.includes(method) ? [] : ['Content-Length', '0'];
  if (!(body instanceof Readable)) return ['Content-Length', String(body.length)];
  const length = body.headers['content-length'];
  return length === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', length];
}

/** Shows an exchange to an observer: the request now, its answer when the body has come to its end. */
function observedBy(observe: Observe, { method, target, body }: Outgoing, headers: readonly string[]) {
  const shown: Buffer = Buffer.from(Buffer.isBuffer(body) ? body.subarray(0, mostLookedAt) : '');
  const sent = { method, target, headers: inPairs(headers), body: shown };
  const endBody = body instanceof Readable ? collect(body, (octets) => (sent.body = octets)) : undefined;
  const telling = observe(sent);
  const tell: ReturnType<Observe> = (answer, over) => {
    // What is sent after the answer is kept by nobody.
    if (over !== undefined) endBody?.();
    telling(answer, over);
  };
  return (came: Came | Error) => {
    if (came instanceof Error) return tell(undefined, { problem: { code: 'closed', message: came.message } });
    const head = headOf(came);
    tell(head);
    if (head.status === 101) return tell({ ...head, staysOpen: true }, {});
    // Nothing flows before somebody reads it.
    came.pause();
    collect(came, (body, wholeOctets) => {
      const cut: WireProblem = { code: 'aborted', message: 'The answer was not read to its end.' };
      tell({ ...head, body, wholeOctets }, came.complete ? {} : { problem: cut });
    });
  };
}

export function headOf({ statusCode: status = 0, statusMessage: reason = '', httpVersion, rawHeaders }: IncomingMessage): Answer {
  return { status, reason, httpVersion, headers: inPairs(rawHeaders), body: Buffer.alloc(0) };
}

/** Gives the beginning of a body when it is over, or when the end of it is called. */
function collect(stream: Readable, done: (octets: Buffer, whole: number) => void): () => void {
  const pieces = new Pieces();
  let whole = 0;
  const take = (chunk: Buffer) => {
    if (whole < mostLookedAt) pieces.push(chunk);
    whole += chunk.length;
  };
  const end = () => {
    stream.off('data', take).off('close', end);
    done(pieces.whole(), whole);
  };
  stream.on('data', take).once('close', end);
  return end;
}

export function inPairs(lines: readonly string[]): HeaderLine[] {
  return lines.flatMap((name, index) => (index % 2 === 0 ? [headerLine(name, lines[index + 1] ?? '')] : []));
}

/** Why a request is answered by the proxy itself. */
export interface Problem {
  readonly status: number;
  readonly text: string;
}

/** What came of a login, and until when it holds. With neither token nor problem, the service asked for no login. */
interface Login {
  readonly token?: string;
  readonly problem?: Problem;
  readonly untilMs: number;
}

/** A token is renewed when so much of its life is over. */
const renewedAfter = 0.95;
/** After wrong credentials nothing is tried for a while: services lock accounts. */
const pauseMs = 10_000;
const loginTimeoutMs = 10_000;

/** Logs in as one user, once for all requests that wait. */
export function loginsOf(
  upstream: Upstream,
  { id, paraphrase }: ClientUser,
  protocol: Protocol,
  nowMs: () => number,
  onProblem: (text: string) => void,
) {
  let last: Promise<Login> = Promise.resolve({ untilMs: Number.NEGATIVE_INFINITY });
  let worked = false;
  let problem: string | undefined;

  /** Steps A and B; the first only where no challenge is at hand. The request with the token is the caller's. */
  const steps = async ({ target, headers, method, body }: Outgoing, challenged: string | null): Promise<Login> => {
    const asked = challenged === null ? { method: 'GET', body: undefined } : { method, body: Buffer.isBuffer(body) ? body : undefined };
    const ask = async (more: Record<string, string>) => {
      const lines = [...Object.entries(more).flat(), ...headers];
      const came = await upstream.ask({ ...asked, target, headers: lines, timeoutMs: loginTimeoutMs });
      discard(came);
      return read(came);
    };
    const nonce = challenged ?? (await ask({})).headers.get(protocol.headers.nonce);
    if (nonce === null) return { untilMs: Number.POSITIVE_INFINITY };
    const given = await exchange(nonce, Buffer.from(`${id}:${paraphrase}`).toString('base64'), protocol, ask);
    if (typeof given === 'string') return { token: given, untilMs: nowMs() + protocol.token.lifetimeMs * renewedAfter };
    const text = `The service refused the login of user ${id}: it answered ${given} and gave no token.`;
    return { problem: { status: 503, text }, untilMs: nowMs() + pauseMs };
  };

  const logIn = async (request: Outgoing, challenged: string | null): Promise<Login> => {
    const login = await steps(request, challenged).catch((error): Login => ({ problem: noAnswer(error), untilMs: nowMs() }));
    if (login.token !== undefined) worked = true;
    if (login.problem !== undefined && login.problem.text !== problem) {
      problem = login.problem.text;
      onProblem(problem);
    }
    return login;
  };

  /** The login that holds; a new one where there is none, or where this one is known to be refused. The request says where to log in. */
  const current = async (request: Outgoing, refused?: { readonly login: Login; readonly by: StepAnswer }): Promise<Login> => {
    const before = last;
    const login = await before;
    const isOver = login === refused?.login || login.untilMs <= nowMs();
    // Unless another request has begun one meanwhile.
    if (isOver && last === before) last = logIn(request, refused?.by.headers.get(protocol.headers.nonce) ?? null);
    return last;
  };

  return {
    /** Why no login worked; undefined when one did, or none was tried. */
    failure: () => (worked ? undefined : problem),
    /** Sends a request with the token, and once more with another where that is refused. The token comes first: servers read no more than some thousand lines. */
    async ask(request: Outgoing): Promise<Came | Problem> {
      const send = ({ token }: Login) =>
        upstream.ask(token === undefined ? request : { ...request, headers: [protocol.headers.token, token, ...request.headers] });
      const login = await current(request);
      if (login.problem !== undefined) return login.problem;
      const came = await send(login);
      const by = read(came);
      if (!isRefusal(by, login.token !== undefined, protocol)) return came;
      const next = await current(request, { login, by });
      const isGone = request.body !== undefined && !Buffer.isBuffer(request.body);
      if (isGone || (next.token === undefined && next.problem === undefined)) return came;
      discard(came);
      return next.problem ?? send(next);
    },
  };
}

/** What is noted where no answer came. */
export const missing: Answer = { status: 502, reason: 'Bad Gateway', httpVersion: '1.1', headers: [], body: Buffer.alloc(0) };

/** What is told where the service cannot be asked. Its certificate may stand in that, and steer no terminal. */
export function noAnswer({ message, code = '' }: NodeJS.ErrnoException): Problem {
  return { status: 502, text: `The service gave no answer: ${(message || code).replace(/[\p{Control}\p{Bidi_Control}]/gu, '?')}` };
}

const read = ({ statusCode: status = 0, headers }: Came): StepAnswer => ({
  status,
  headers: { get: (name) => [headers[name.toLowerCase()]].flat()[0]?.trim() || null },
});
