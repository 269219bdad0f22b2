import type { Boom } from '@hapi/boom';
import { server as hapiServer, type Lifecycle, type Request, type ResponseObject, type Server } from '@hapi/hapi';
import { makeBases } from './bases.js';
import type { SwitchedOn } from './contract.js';
import { httpStatus, readMethods } from './http.js';
import { makeListener } from './listener.js';
import { type ReferenceServerOptions, readOptions, type Settings } from './options.js';
import { defaultParts, type HeaderLine } from './parts/index.js';
import { type Answering, asking, contextOf, type Deployment, makeStore, protect, respond, sentAnswer, strategy } from './plugin/index.js';
import { bringing, type KnownToken, Ledger, Recording } from './recording/index.js';
import { discardBody, hasBody } from './request-body.js';
import type { Store } from './stores/index.js';

/** What answers requests that have certain faults and variants on. */
export interface Cast extends Answering {
  readonly on: SwitchedOn;
  /** What a request meets before its answer is noted, and after that. */
  readonly trouble?: Readonly<Record<'before' | 'after', (raw: Request['raw']) => Promise<unknown>>>;
  /** Shows it a token that another one issued, or that has another end now; the store knows of it already. */
  teach(token: KnownToken): void;
}

/** A Hapi server that is not started, for `inject`. With a Redis store, call `initialize()` first, and `stop()` in the end. */
export function createReferenceServer(options?: ReferenceServerOptions): Server {
  const settings = readOptions(options);
  const common = makeCommon(settings);
  const first = makeCast(settings, common, { faults: [], variants: [] });
  return assemble(settings, common, first, () => first);
}

export type Common = ReturnType<typeof makeCommon>;

/** What all casts of a server work on. */
export function makeCommon(settings: Settings) {
  const { users, recordLast, collections } = settings;
  const ids = new Set(users.map(({ id }) => id));
  const ledger = new Ledger();
  for (const user of users) ledger.hide(user);
  const store = { ...makeStore(settings), ended: ledger.endedNonces };
  const context = contextOf(settings, store, collections);
  const broughtBy = bringing(context, ledger, ids);
  const recording = recordLast === 0 ? undefined : new Recording(recordLast, context, ledger, broughtBy);
  return { store, ids, broughtBy, recording };
}

export function makeCast(settings: Settings, { store: common, recording }: Common, on: SwitchedOn): Cast {
  let isTaught = false;
  const store: Store = { ...common, putToken: (...token) => (isTaught ? undefined : common.putToken(...token)) };
  const context = contextOf(settings, store, settings.collections);
  const original = defaultParts(context);
  const parts = settings.parts(original, context);
  return {
    parts: recording?.witnessed(parts, parts !== original) ?? parts,
    bases: makeBases(settings),
    on,
    teach({ text, record }) {
      isTaught = true;
      void parts.tokens.keep(text, record);
      isTaught = false;
    },
  };
}

/** The plugin, on a server of its own that serves nothing but the demonstration resources and lets no address go unprotected. */
export function assemble(
  settings: Settings,
  { store, recording }: Common,
  first: Cast,
  choose: Parameters<typeof asking<Cast>>[0],
): Server {
  const { spec, host, port, limits, basePath } = settings;
  const askedOf = asking(choose);
  const server = hapiServer({ listener: makeListener(limits), host, port, debug: false, compression: false });
  const note = (request: Request, response: ResponseObject | Boom) => {
    const { asked, by } = askedOf(request);
    recording?.note(asked, sentAnswer(response), request.info.received, by.on);
  };
  /** Notes every answer as it is about to be sent, between what goes wrong on demand before and after it. */
  const look = (finish: Lifecycle.Method): Lifecycle.Method =>
    function noting(request, h, error) {
      const finished = finish.call(this, request, h, error);
      const { trouble } = askedOf(request).by;
      if (finished === h.continue && trouble === undefined) {
        note(request, request.response);
        return finished;
      }
      return Promise.resolve(finished).then(async (instead) => {
        await trouble?.before(request.raw);
        note(request, instead === h.continue ? request.response : (instead as ResponseObject));
        await trouble?.after(request.raw);
        return instead;
      });
    };
  const { bodyOctets } = limits;
  const deployment: Deployment<Cast> = { spec, basePath: '', store, first, bodyOctets, askedOf, strategy, asDefault: true, look };
  protect(server, deployment); // registered by hand, because `server.register` would make us wait
  serveResources(server, deployment, basePath);
  return server;
}

const allow: HeaderLine = ['Allow', readMethods.join(', ')];

/** The demonstration resources: one route, so that a change of the `resources` part can put them at any address. */
function serveResources(server: Server, { askedOf, bodyOctets }: Deployment, basePath: string): void {
  const find = (request: Request, isTooLarge: boolean) => {
    const ask = askedOf(request);
    const { asked } = ask;
    const { answers, resources } = ask.by.parts;
    const refuse = (status: number, ...more: HeaderLine[]) => respond(request, answers.error(status, asked.base, ask.by.parts, more), ask);
    if (isTooLarge) return refuse(httpStatus.tooLarge);
    const below = asked.path.startsWith(basePath) ? asked.path.slice(basePath.length) : undefined;
    const document = below === undefined ? undefined : resources.find(below, asked, ask.by.parts);
    if (document === undefined) return refuse(httpStatus.notFound);
    if (!readMethods.includes(asked.method)) return refuse(httpStatus.methodNotAllowed, allow);
    return respond(request, answers.resource(document, asked, ask.by.parts), ask);
  };
  const handler: Lifecycle.Method = (request) => {
    const { req, res } = request.raw;
    return hasBody(req) ? discardBody(req, res, bodyOctets).then((isTooLarge) => find(request, isTooLarge)) : find(request, false);
  };
  const payload = { parse: false, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER } as const; // it is counted as it is read
  server.route({ method: '*', path: '/{path*}', handler, options: { payload, state: { parse: false } } });
}
