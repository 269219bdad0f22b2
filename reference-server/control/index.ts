import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Spec } from '../../spec/index.js';
import { AtStartOnly, NotThere, OptionError } from '../errors.js';
import { listenOnLoopback, wrongHost, wrongOrigin } from '../listener.js';
import type { Recording } from '../recording/index.js';
import type { Steering } from '../steering.js';
import { makePage } from './page/index.js';
import { find, Refusal } from './routes.js';

/** Opens the control of a server on a listener of its own, on loopback. Test control, and no part of the protocol. */
export async function startControl(
  server: Steering,
  recording: Recording,
  given: { readonly spec: Spec; readonly url: string; readonly page: boolean },
) {
  const pageAt = given.page ? makePage(given.spec, given.url, server.collections) : undefined;
  const { port, close } = await listenOnLoopback((req, res) => {
    handle(req, res).catch((error: unknown) => refuse(res, error));
  });
  const access = makeAccess(port);
  const url = `http://127.0.0.1:${port}`;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    forbid(wrongHost(req));
    const { method = '', url: target = '/' } = req;
    // A target that is no path is at no address of ours.
    const { pathname, searchParams } = new URL(target.startsWith('/') ? `${url}${target}` : url);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && pathname === '/' && pageAt !== undefined && access.letsIn(searchParams))
      return send(res, 200, 'text/html', letIn, { ...pageHeaders, 'Set-Cookie': access.setCookie });
    forbid(wrongOrigin(req));
    access.check(req);
    const file = isRead ? pageAt?.(pathname) : undefined;
    if (file !== undefined) return send(res, 200, file.type, file.body, { ...pageHeaders, 'Content-Security-Policy': file.policy });
    const { run, params } = find(method, pathname);
    const body = await run({ req, res, params, query: searchParams }, { server, recording });
    if (res.headersSent) return;
    if (body === undefined) res.writeHead(204, everyHeader).end();
    else send(res, 200, 'application/json', JSON.stringify(body));
  }

  return {
    /** Where it is controlled, without a slash at the end, and the token to show there. */
    access: { url, token: access.token },
    /** Of the live page, with the token. */
    page: pageAt === undefined ? null : `${url}/?token=${access.token}`,
    /** The same for one visit. */
    pageOnce: () => (pageAt === undefined ? null : `${url}/?pass=${access.pass()}`),
    close,
  };
}

const secret = () => randomBytes(24).toString('hex');
const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (text: string | null | undefined, wanted: string) =>
  typeof text === 'string' && timingSafeEqual(digest(text), digest(wanted));

const noToken = 'the token is missing or wrong; allowed is Authorization: Bearer, with the controlToken of serve --json';

/** Who may control the server: whoever has the token. */
function makeAccess(port: number) {
  const token = secret();
  // Browsers send a cookie to every port of a host: it has a secret of its own, so that no other server there learns the token, and the
  // port in its name, so that two servers do not overwrite each other's.
  const session = secret();
  const prefix = `hydrauth-control-${port}=`;
  const passes = new Set<string>();
  return {
    token,
    setCookie: `${prefix}${session}; HttpOnly; SameSite=Strict; Path=/`,
    /** Throws unless the request has the token in its header or, in a browser, the secret of its cookie. */
    check({ headers: { authorization = '', cookie = '' } }: IncomingMessage): void {
      const shown = cookie.split(/; */).find((each) => each.startsWith(prefix));
      if (isSame(/^Bearer +(\S+)$/i.exec(authorization)?.[1], token)) return;
      if (!isSame(shown?.slice(prefix.length), session)) throw new Refusal('unauthorized', noToken);
    },
    /** Whether an address lets a browser in: by the token, or by a pass that was not used yet. */
    letsIn: (query: URLSearchParams) => isSame(query.get('token'), token) || passes.delete(query.get('pass') ?? ''),
    /** Good for one visit: for an address that others can see, such as in a list of processes. */
    pass(): string {
      const pass = secret();
      passes.add(pass);
      return pass;
    },
  };
}

function forbid(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Refusal('forbidden', wrong);
}

const everyHeader = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const pageHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY', 'Cross-Origin-Opener-Policy': 'same-origin' };
/** Where a browser gets its cookie. A redirect would not do: a strict cookie is not sent where another site's page or program began the way. */
const letIn = '<!doctype html><title>hydrauth</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=/">';

function send(res: ServerResponse, status: number, type: string, body: string | Buffer, more: Readonly<Record<string, string>> = {}): void {
  res.writeHead(status, { ...everyHeader, ...more, 'Content-Type': type }).end(body);
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
