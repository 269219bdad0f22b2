import type { IncomingMessage, ServerResponse } from 'node:http';
import { allow, type Spec } from '../../spec/index.js';
import { AtStartOnly, NotThere, OptionError } from '../errors.js';
import { listenOnLoopback, wrongHost, wrongOrigin } from '../loopback.js';
import type { Recording } from '../recording/index.js';
import type { Steering } from '../running-server.js';
import { Access } from './access.js';
import { queryOf, Refusal } from './call.js';
import { type Change, watch } from './events.js';
import { makePage } from './page/index.js';
import { type Controlled, eventsPath, find } from './routes.js';

/** The control listener. */
export interface Control {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Of the live page, with the token. */
  readonly page: string | undefined;
  /** The same for one visit. */
  pageOnce(): string | undefined;
  /** Tells those who watch. */
  changed(what: Change): void;
  close(): Promise<void>;
}

/** Opens the control of a server on a listener of its own, on loopback. Test control, and no part of the protocol. */
export async function startControl(
  server: Steering,
  recording: Recording,
  given: { readonly spec: Spec; readonly url: string; readonly page: boolean },
): Promise<Control> {
  const pageAt = given.page ? makePage(given.spec, given.url, server.collections) : undefined;
  const watchers = new Set<(what: Change) => void>();
  const changed = (what: Change) => {
    for (const tell of watchers) tell(what);
  };
  const controlled: Controlled = { server, recording, changed: () => changed('change') };
  const { port, close } = await listenOnLoopback((req, res) => {
    handle(req, res).catch((error: unknown) => refuse(res, error));
  });
  const access = new Access(port);
  const url = `http://127.0.0.1:${port}`;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    forbid(wrongHost(req));
    const { method = '', url: target = '/', headers } = req;
    // A target that is no path is at no address of ours.
    const { pathname, searchParams } = new URL(target.startsWith('/') ? `${url}${target}` : url);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && pathname === '/' && pageAt !== undefined && access.letsIn(searchParams)) return letIn(res, access.setCookie);
    forbid(wrongOrigin(req));
    access.checkToken(req);
    const file = isRead ? pageAt?.(pathname) : undefined;
    if (file !== undefined) return send(res, 200, file.type, file.body, { ...pageHeaders, 'Content-Security-Policy': file.policy });
    if (pathname === eventsPath && method === 'GET') {
      const last = headers['last-event-id'];
      if (last !== undefined) searchParams.set('after', String(last));
      const { after } = queryOf<{ after: number }>(searchParams, { after: allow.whole(0, Number.MAX_SAFE_INTEGER) }, ['after']);
      const tell = watch(res, controlled, after);
      watchers.add(tell);
      res.once('close', () => watchers.delete(tell));
      return;
    }
    const { run, params } = find(method, pathname);
    const body = await run({ req, res, params, query: searchParams }, controlled);
    if (body === undefined) res.writeHead(204, everyHeader).end();
    else send(res, 200, 'application/json', JSON.stringify(body));
  }

  return {
    url,
    token: access.token,
    page: pageAt === undefined ? undefined : `${url}/?token=${access.token}`,
    pageOnce: () => (pageAt === undefined ? undefined : `${url}/?pass=${access.pass()}`),
    changed,
    close,
  };
}

function forbid(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Refusal('forbidden', wrong);
}

const everyHeader = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const pageHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY', 'Cross-Origin-Opener-Policy': 'same-origin' };

function send(res: ServerResponse, status: number, type: string, body: string | Buffer, more: Readonly<Record<string, string>> = {}): void {
  res.writeHead(status, { ...everyHeader, ...more, 'Content-Type': type }).end(body);
}

/** Gives a browser its cookie. A redirect would not do: a strict cookie is not sent where another site's page or program began the way. */
function letIn(res: ServerResponse, cookie: string): void {
  const body = '<!doctype html><title>hydrauth</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=/">';
  send(res, 200, 'text/html', body, { ...pageHeaders, 'Set-Cookie': cookie });
}

function refuse(res: ServerResponse, error: unknown): void {
  if (res.headersSent) return void res.destroy();
  const { status, message, headers } = refusalOf(error);
  send(res, status, 'application/json', JSON.stringify({ [status]: message }), headers);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NotThere) return new Refusal('notFound', error.message);
  if (error instanceof AtStartOnly) return new Refusal('conflict', error.message);
  if (error instanceof OptionError) return new Refusal('badRequest', error.message);
  return new Refusal('failed', `the server failed: ${(error as Error).message}`);
}
