import { isBoom } from '@hapi/boom';
import { server as hapiServer, type Request, type ResponseToolkit, type Server } from '@hapi/hapi';
import { Bases } from './bases.js';
import { StoreUnavailable } from './errors.js';
import { httpStatus, readMethods } from './http.js';
import { incoming } from './incoming.js';
import { answerMalformed, makeListener } from './listener.js';
import { type ReferenceServerOptions, readOptions, type Settings } from './options.js';
import { type Answer, defaultParts, type HeaderLine, type Incoming, type Parts } from './parts/index.js';
import { Recorder } from './recorder.js';
import { discardBody, isTooLarge } from './request-body.js';
import { memoryStore, type Store } from './stores/index.js';

/** The server and what it is made of. */
export interface Assembly {
  readonly server: Server;
  readonly parts: Parts;
  readonly store: Store;
  readonly recorder: Recorder;
  readonly bases: Bases;
  addUsers(): Promise<void>;
}

const allow: HeaderLine = ['Allow', readMethods.join(', ')];
const retry: HeaderLine = ['Retry-After', '1'];

/** A Hapi server that is not started, for `inject`. With a Redis store, call `initialize()` first, and `stop()` in the end. */
export function createReferenceServer(options?: ReferenceServerOptions): Server {
  return assemble(readOptions(options)).server;
}

export function assemble(settings: Settings): Assembly {
  const { spec, clock, collections, limits, users } = settings;
  const store = memoryStore();
  const context = {
    spec,
    clock,
    store,
    collections,
    guard: { auth: settings.auth, tokens: settings.tokens, refusalSpendsNonce: settings.refusalSpendsNonce },
    nonce: { lifetimeMs: settings.nonceLifetimeMs, singleUse: settings.nonceSingleUse },
  };
  const parts = settings.parts(defaultParts(context), context);
  const bases = new Bases(spec, settings.basePath, settings.publicUrl);
  const recorder = new Recorder(spec, settings.recordLast);
  const listener = makeListener(limits);
  const server = hapiServer({
    listener,
    host: settings.host,
    port: settings.port,
    debug: false,
    compression: false, // compressed answers have no Content-Length
    routes: { security: false, cors: false, state: { parse: false, failAction: 'ignore' }, payload: { parse: false, output: 'stream' } },
  });
  answerMalformed(listener, bases, parts);

  const reply = (answer: Answer, request: Incoming, h: ResponseToolkit) => {
    recorder.note(request, answer, parts.clock.now());
    parts.wire.send(answer, request);
    return h.abandon;
  };

  const seen = new WeakMap<Request, Incoming>();

  // Before routing: Hapi answers unknown paths, malformed escapes, OPTIONS and bad cookies before any route's own authentication.
  server.ext('onRequest', async (request, h) => {
    const asked = incoming(request, bases);
    seen.set(request, asked);
    discardBody(asked.raw.req, asked.raw.res, limits.bodyOctets);
    const answer = await parts.guard.judge(asked, parts);
    if (answer !== undefined) return reply(answer, asked, h);
    if (isTooLarge(asked.raw.req, limits.bodyOctets)) return reply(parts.answers.error(httpStatus.tooLarge, asked.base, parts), asked, h);
    return h.continue;
  });

  server.route({
    method: '*',
    path: '/{path*}',
    handler(request, h) {
      const asked = seen.get(request) ?? incoming(request, bases);
      const below = asked.path.startsWith(settings.basePath) ? asked.path.slice(settings.basePath.length) : undefined;
      const document = below === undefined ? undefined : parts.resources.find(below, asked, parts);
      if (document === undefined) return reply(parts.answers.error(httpStatus.notFound, asked.base, parts), asked, h);
      if (!readMethods.includes(asked.method))
        return reply(parts.answers.error(httpStatus.methodNotAllowed, asked.base, parts, [allow]), asked, h);
      return reply(parts.answers.resource(document, asked, parts), asked, h);
    },
  });

  // What is left are Hapi's own errors (a path it cannot read) and ours.
  server.ext('onPreResponse', (request, h) => {
    const { response } = request;
    if (!isBoom(response)) return h.continue;
    const asked = seen.get(request) ?? incoming(request, bases);
    const unavailable = response instanceof StoreUnavailable;
    const status = unavailable ? httpStatus.unavailable : response.output.statusCode;
    return reply(parts.answers.error(status, asked.base, parts, unavailable ? [retry] : []), asked, h);
  });

  const addUsers = async () => {
    for (const user of users) await store.putUser(user);
  };
  for (const user of users) void store.putUser(user);
  server.ext('onPreStart', () => store.open());
  server.ext('onPostStop', () => store.close());
  return { server, parts, store, recorder, bases, addUsers };
}
