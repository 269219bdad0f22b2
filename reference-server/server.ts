import { server as hapiServer, type Server } from '@hapi/hapi';
import { Bases } from './bases.js';
import { makeListener } from './listener.js';
import { answerMalformed } from './malformed.js';
import { type ReferenceServerOptions, readOptions, type Settings } from './options.js';
import { defaultParts, isManual, type Parts } from './parts/index.js';
import { Recorder } from './recorder.js';
import { serveResources } from './serving.js';
import { memoryStore, redisStore, type Store } from './stores/index.js';

/** How much longer than its life Redis keeps a thing: for clocks that differ, or, beside a manual clock, for one that stands still. */
const skewMs = 60_000;
const dayMs = 86_400_000;

/** The server and what it is made of. */
export interface Assembly {
  readonly server: Server;
  readonly parts: Parts;
  readonly store: Store;
  readonly recorder: Recorder;
  readonly bases: Bases;
}

/** A Hapi server that is not started, for `inject`. With a Redis store, call `initialize()` first, and `stop()` in the end. */
export function createReferenceServer(options?: ReferenceServerOptions): Server {
  return assemble(readOptions(options)).server;
}

export function assemble(settings: Settings): Assembly {
  const { spec, clock, collections, limits, basePath, users } = settings;
  const store = settings.store === 'memory' ? memoryStore(users) : redisStore(settings.store, users, isManual(clock) ? dayMs : skewMs);
  const context = {
    spec,
    clock,
    store,
    collections,
    guard: { auth: settings.auth, tokens: settings.tokens, refusalSpendsNonce: settings.refusalSpendsNonce },
    nonce: { lifetimeMs: settings.nonceLifetimeMs, singleUse: settings.nonceSingleUse },
  };
  const parts = settings.parts(defaultParts(context), context);
  const bases = new Bases(spec, basePath, settings.publicUrl);
  const recorder = new Recorder(spec, settings.recordLast);
  const listener = makeListener(limits);
  const server = hapiServer({
    listener,
    host: settings.host,
    port: settings.port,
    debug: false,
    compression: false, // a compressed answer has no length
    routes: { security: false, cors: false, state: { parse: false, failAction: 'ignore' }, payload: { parse: false, output: 'stream' } },
  });
  answerMalformed(listener, bases, parts);
  serveResources(server, { parts, bases, recorder, basePath, bodyOctets: limits.bodyOctets });
  server.ext('onPreStart', () => store.open());
  server.ext('onPostStop', () => store.close());
  return { server, parts, store, recorder, bases };
}
