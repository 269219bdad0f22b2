import { randomBytes, randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { defaultCollections, type ManualClock, type ReferenceServerOptions, startReferenceServer } from '../../reference-server/index.js';
import type { Spec } from '../../spec/index.js';
import { type Answer, type Listener, listenAt } from '../wire/index.js';
import { answerElsewhere, asKnown, replyTo, type ServiceState, type Site, writers } from './scenarios.js';
import { type Act, Log, planOf, type Received } from './traffic.js';
import { headOf, inPairs, missing, noAnswer, type Upstream, upstreamOf } from './upstream.js';

/** A client that sends more in one scenario will not end by itself. */
const defaultLimit = 60;
const largestBody = 4 * 1024 * 1024;

/** A plain word that no client can know before. */
const word = () => `${String.fromCharCode(randomInt(97, 123))}${randomBytes(5).toString('hex')}`;

/**
 * Starts a service in this state, with all that goes on between it and the client under observation. Ports, paths, names, user and paraphrase
 * are other ones each time.
 */
export async function openStage(state: ServiceState, spec: Spec, onOverrun: () => void) {
  const { protocol } = spec;
  const { applyFixtures, variants } = await import('../../fixtures/index.js');
  const chosen = (state.variants ?? []).flatMap((id) => variants.find((each) => each.id === id) ?? []);
  const known = { id: randomInt(2, 1_000_000), paraphrase: state.paraphrase ?? word() + word() };
  const plain: ReferenceServerOptions = {
    ...{ spec, clock: 'manual', clockControl: false, recordLast: 0, basePath: `/${word()}`, users: [known] },
    collections: state.usualCollections === true ? defaultCollections : [word(), word(), `${word()} & ü`],
  };
  const options = applyFixtures(chosen, plain);
  const server = await startReferenceServer(options);
  // What a client makes of other letters is told by a scenario of its own.
  const { id, paraphrase } = options.users?.findLast((user) => /^[ -~]*$/.test(user.paraphrase)) ?? known;
  const log = new Log(protocol, state.requestLimit ?? defaultLimit);
  const upstream = upstreamOf(new URL(server.url));
  const listeners: Listener[] = [];
  const close = async () => {
    upstream.close();
    await Promise.all([...listeners.map((each) => each.close()), server.close()]);
  };

  let served = 0;
  const expire = () => {
    const ms = protocol.token.lifetimeMs + 1000;
    (server.clock as ManualClock).advance({ ms });
    log.move(ms);
  };

  /** Listens on a port of its own, notes every request and its answer, and sends answers exactly as they are given. */
  const listen = async (at: Act['at'], answer: (received: Received, act: Act) => Promise<Answer>): Promise<string> => {
    const handle = async (req: IncomingMessage, res: ServerResponse) => {
      let octets = 0;
      req.on('data', (chunk: Buffer) => {
        octets += chunk.length;
        if (octets > largestBody) req.destroy();
      });
      const { method = '', url: target = '', rawHeaders } = req;
      const received = { method, target, headers: inPairs(rawHeaders), body: await buffer(req) };
      const logged = log.arrive(at, listener.origin, planOf(received));
      if (logged === undefined) {
        // Too many came; they are not answered.
        req.socket.destroy();
        return onOverrun();
      }
      const given = await answer(received, logged);
      log.answer(logged, given);
      if (logged.became === 'served') served += 1;
      // Before the answer goes out, so that the next request comes after it.
      if (logged.became === 'served' && state.expireAfterServed?.includes(served) === true) expire();
      send(given, res, req);
    };
    const answering = createServer({ insecureHTTPParser: false }, (req, res) => {
      for (const stream of [req, res]) stream.on('error', () => {});
      handle(req, res).catch(() => req.socket.destroy());
    });
    const listener = await listenAt(answering);
    listeners.push(listener);
    return listener.origin;
  };

  try {
    const elsewhere = await listen('elsewhere', async () => answerElsewhere(state.elsewhere, protocol));
    const origin = await listen('service', async (received, act) => {
      const done = state.replies === undefined ? asKnown(received, protocol) : replyTo(state.replies, received, act, site, protocol);
      const came = done !== undefined && 'status' in done ? done : await forward(done ?? received, upstream);
      return { ...came, ...(state.written && writers[state.written](came, protocol, received)) };
    });
    const base = `${origin}${new URL(server.url).pathname.replace(/\/$/, '')}`;
    const [first = '', second = first, odd = first] = server.collections;
    const site: Site = {
      base,
      first: `${base}/${first}`,
      second: `${base}/${second}`,
      odd: `${base}/${encodeURIComponent(odd)}?tag=${word()}&tag=%C3%BC%26${word()}`,
      vocabulary: `${base}${protocol.link.path}`,
      missing: `${base}/${word()}`,
      elsewhere: `${elsewhere}/${word()}`,
    };
    // The client of a scenario about wrong credentials is told another paraphrase than the service knows.
    const told = state.wrongParaphrase === true ? word() + word() : paraphrase;
    return { site, user: { id, paraphrase: told }, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function send({ status, reason, headers, body }: Answer, res: ServerResponse, { httpVersion, headers: asked }: IncomingMessage): void {
  const closes = (value = '') => /\bclose\b/i.test(value);
  res.sendDate = false;
  // The service behind speaks of its own connection. Its wish to close is passed on, and Keep-Alive only where the client keeps this one open.
  const lines = headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'connection') return closes(value);
    return lower !== 'keep-alive' || (httpVersion !== '1.0' && !closes(asked.connection));
  });
  res.writeHead(status, reason, lines.flat() as string[]);
  res.end(body);
}

/** Of one connection only, or already done with when the body was read. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'expect', 'transfer-encoding', 'content-length']);

/** Passes a request on, its headers as they came, and gives the answer; 502 where none came. */
async function forward({ method, target, headers, body }: Received, upstream: Upstream): Promise<Answer> {
  const kept = headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
  try {
    const octets = body.length === 0 ? undefined : body;
    const came = await upstream.ask({ method, target, headers: kept.flat() as string[], body: octets });
    const head = headOf(came);
    const lines = head.headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
    return { ...head, headers: lines, body: await buffer(came) };
  } catch (error) {
    return { ...missing, body: Buffer.from(`${noAnswer(error as Error).text}\n`) };
  }
}
