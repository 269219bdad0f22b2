import { server as hapiServer, type Server } from '@hapi/hapi';
import { makeListener } from './listener.js';
import { type ReferenceServerOptions, readOptions, type Settings } from './options.js';
import { type Deployment, deploy, protect } from './plugin/index.js';
import { Recorder } from './recorder.js';
import { recordAnswers, serveResources } from './serving.js';

/** The server and what it is made of. */
export interface Assembly extends Deployment {
  readonly server: Server;
  readonly recorder: Recorder;
}

/** A Hapi server that is not started, for `inject`. With a Redis store, call `initialize()` first, and `stop()` in the end. */
export function createReferenceServer(options?: ReferenceServerOptions): Server {
  return assemble(readOptions(options)).server;
}

/** The plugin, on a server of its own that serves nothing but the demonstration resources and lets no address go unprotected. */
export function assemble(settings: Settings): Assembly {
  const { spec, collections, limits, basePath, recordLast } = settings;
  const deployment = { ...deploy(settings, collections, settings.parts), basePath: '', bodyOctets: limits.bodyOctets };
  const recorder = new Recorder(spec, recordLast);
  const server = hapiServer({
    listener: makeListener(limits),
    host: settings.host,
    port: settings.port,
    debug: false,
    compression: false,
  });
  protect(server, deployment); // registered by hand, because `server.register` would make us wait
  serveResources(server, deployment, basePath);
  if (recordLast > 0) recordAnswers(server, deployment, recorder);
  return { ...deployment, server, recorder };
}
