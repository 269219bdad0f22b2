import { server as hapiServer, type Server } from '@hapi/hapi';
import { makeListener } from './listener.js';
import { type ReferenceServerOptions, readOptions, type Settings } from './options.js';
import { type Deployment, deploy, makeStore, protect } from './plugin/index.js';
import { type KnownToken, Recording, recordAnswers, type SwitchedOn, type Teaching, witnessing } from './recording/index.js';
import { serveResources } from './serving.js';
import type { Store } from './stores/index.js';

/** The server and what it is made of. */
export interface Assembly extends Deployment {
  readonly server: Server;
  /** Shows it a token that another one issued, or that has another end now; the store knows of it already. */
  teach(token: KnownToken): void;
}

/** What the server has in common with those that answer in its place while faults or variants are switched on. */
export interface Common {
  readonly store: Store;
  /** The ids of the users. */
  readonly ids: Set<number>;
  /** Undefined where nothing is to be recorded. */
  readonly recording: Recording | undefined;
}

/** A Hapi server that is not started, for `inject`. With a Redis store, call `initialize()` first, and `stop()` in the end. */
export function createReferenceServer(options?: ReferenceServerOptions): Server {
  const settings = readOptions(options);
  return assemble(settings, makeCommon(settings)).server;
}

export function makeCommon(settings: Settings): Common {
  const { spec, auth, tokens, refusalSpendsNonce, nonceLifetimeMs, nonceSingleUse, recordLast } = settings;
  const store = makeStore(settings);
  const ids = new Set(settings.users.map(({ id }) => id));
  if (recordLast === 0) return { store, ids, recording: undefined };
  const guard = { auth, tokens, refusalSpendsNonce };
  const recording = new Recording(recordLast, { spec, store, guard, nonce: { lifetimeMs: nonceLifetimeMs, singleUse: nonceSingleUse } });
  return { store: recording.store, ids, recording };
}

const nothing: SwitchedOn = { faults: [], variants: [] };

/** The plugin, on a server of its own that serves nothing but the demonstration resources and lets no address go unprotected. */
export function assemble(settings: Settings, common: Common, on = nothing): Assembly {
  const { collections, limits, basePath } = settings;
  const { ids, recording } = common;
  const teaching: Teaching = { isOn: false };
  const change = recording === undefined ? settings.parts : witnessing(settings.parts, recording.ledger, ids, teaching);
  const store: Store = { ...common.store, putToken: (...token) => (teaching.isOn ? undefined : common.store.putToken(...token)) };
  const deployment = { ...deploy(settings, collections, change, store), basePath: '', bodyOctets: limits.bodyOctets };
  const server = hapiServer({
    listener: makeListener(limits),
    host: settings.host,
    port: settings.port,
    debug: false,
    compression: false,
  });
  const look = recording === undefined ? undefined : recordAnswers(deployment, recording.recorder, on);
  protect(server, deployment, look); // registered by hand, because `server.register` would make us wait
  serveResources(server, deployment, basePath);
  const teach = ({ text, record }: KnownToken) => {
    teaching.isOn = true;
    void deployment.parts.tokens.keep(text, record);
    teaching.isOn = false;
  };
  return { ...deployment, server, teach };
}
