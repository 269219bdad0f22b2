import type { IncomingMessage, ServerResponse } from 'node:http';
import { allow } from '../../spec/index.js';
import { AtStartOnly, NotThere, OptionError } from '../errors.js';
import { listenOnLoopback } from '../loopback.js';
import { Access } from './access.js';
import { queryOf } from './call.js';
import { Watcher } from './events.js';
import type { PageFile } from './page/index.js';
import { Refusal } from './refusal.js';
import type { Controlled } from './route.js';
import { eventsPath, find } from './routes.js';

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
  changed(what: 'change' | 'reset'): void;
  close(): Promise<void>;
}

export async function listen(
  controlled: Omit<Controlled, 'changed'>,
  pageAt: ((path: string) => PageFile | undefined) | undefined,
): Promise<Control> {
  const watchers = new Set<Watcher>();
  const changed = (what: 'change' | 'reset') => {
    for (const watcher of watchers) watcher.tell(what);
  };
  const all: Controlled = { ...controlled, changed: () => changed('change') };
  const { port, close } = await listenOnLoopback((req, res) => {
    handle(req, res).catch((error: unknown) => refuse(res, error));
  });
  const access = new Access(port);
  const url = `http://127.0.0.1:${port}`;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    access.checkHost(req);
    const { pathname, searchParams } = addressOf(req.url ?? '/', url);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && pathname === '/' && pageAt !== undefined && access.letsIn(searchParams)) return letIn(res, access.setCookie);
    access.checkOrigin(req);
    access.checkToken(req);
    const file = isRead ? pageAt?.(pathname) : undefined;
    if (file !== undefined) return sendFile(res, file);
    if (pathname === eventsPath && req.method === 'GET') return watch(req, res, searchParams);
    const { run, params } = find(req.method ?? '', pathname);
    const { status, body } = await run({ req, res, params, query: searchParams }, all);
    send(res, status, body);
  }

  function watch(req: IncomingMessage, res: ServerResponse, query: URLSearchParams): void {
    const last = req.headers['last-event-id'];
    if (last !== undefined) query.set('after', String(last));
    const { after } = queryOf<{ after: number }>(query, { after: allow.whole(0, Number.MAX_SAFE_INTEGER) }, ['after']);
    const watcher = new Watcher(res, all, after);
    watchers.add(watcher);
    res.once('close', () => {
      watcher.end();
      watchers.delete(watcher);
    });
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

/** A target that is no path is at no address of ours. */
function addressOf(target: string, url: string): URL {
  return new URL(target.startsWith('/') ? `${url}${target}` : url);
}

const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Gives a browser its cookie. A redirect would not do: a strict cookie is not sent where another site's page or program began the way. */
function letIn(res: ServerResponse, cookie: string): void {
  const more = { 'Content-Type': 'text/html', 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer' };
  res
    .writeHead(200, { ...headers, ...more })
    .end('<!doctype html><title>hydrauth</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=/">');
}

function sendFile(res: ServerResponse, { type, body, policy }: PageFile): void {
  res.writeHead(200, {
    ...headers,
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  res.end(body);
}

function send(res: ServerResponse, status: number, body: unknown, more: Readonly<Record<string, string>> = {}): void {
  if (body === undefined) res.writeHead(status, { ...headers, ...more }).end();
  else res.writeHead(status, { ...headers, ...more, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(res: ServerResponse, error: unknown): void {
  if (res.headersSent) return void res.destroy();
  const { status, message, headers: more } = refusalOf(error);
  send(res, status, { [status]: message }, more);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NotThere) return new Refusal('notFound', error.message);
  if (error instanceof AtStartOnly) return new Refusal('conflict', error.message);
  if (error instanceof OptionError) return new Refusal('badRequest', error.message);
  return new Refusal('failed', `the server failed: ${(error as Error).message}`);
}
