import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Agent, request as ask, createServer } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket, createServer as tcpServer } from 'node:net';
import { server as hapi, type Request, type ResponseToolkit } from '@hapi/hapi';
import type * as Client from '../conformance/client/index.js';
import type * as Plugin from '../reference-server/hapi.js';
import type * as Reference from '../reference-server/index.js';
import { spec } from '../spec/index.js';
import { built } from './build.js';
import { answerWith, settingsOf, tell } from './children.js';
import { authorization, user } from './users.js';

/** Where a server listens, and its clock. */
export interface Ready {
  readonly url: string;
  readonly clock?: string | null;
}

/** What a server process has used up, asked from outside. */
export interface Usage {
  readonly cpuMs: number;
  readonly residentMb: number;
  readonly heapMb: number;
  /** File handles, where the system tells. */
  readonly handles: number;
}

function usage(): Usage {
  global.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  return { cpuMs: (user + system) / 1000, residentMb: rss / 2 ** 20, heapMb: (heapUsed + external) / 2 ** 20, handles };
}

/** The reference server as a user starts it, from the build; on request with a limit of so many requests in each second, and 429 for the others. */
async function reference(): Promise<Ready> {
  const { startReferenceServer } = (await import(built('reference-server', 'index.js'))) as typeof Reference;
  const { kind: _, perSecond, ...settings } = settingsOf<Reference.StartOptions & { kind: string; perSecond?: number }>();
  let second = { beganMs: 0, taken: 0 };
  const isTooMany = (limit: number) => {
    const nowMs = performance.now();
    if (nowMs - second.beganMs >= 1000) second = { beganMs: nowMs, taken: 0 };
    second.taken += 1;
    return second.taken > limit;
  };
  const limited = (limit: number): Reference.StartOptions => ({
    parts: ({ guard, ...parts }) => ({
      ...parts,
      guard: {
        ...guard,
        decide: (request, all) => (isTooMany(limit) ? all.answers.error(429, request.base, all) : guard.decide(request, all)),
      },
    }),
  });
  const server = await startReferenceServer({ recordLast: 0, ...settings, ...(perSecond === undefined ? {} : limited(perSecond)) });
  return { url: server.url, clock: server.clockUrl };
}

const hapiServer = () => hapi({ host: '127.0.0.1', port: 0, compression: false, debug: false, routes: { response: { ranges: false } } });

async function serving(
  server: ReturnType<typeof hapi>,
  handler: (request: Request, h: ResponseToolkit) => string | object,
): Promise<Ready> {
  server.route({ method: 'GET', path: '/api/{collection}', handler });
  await server.start();
  return { url: `http://127.0.0.1:${server.info.port}/api` };
}

/** As much as a collection of the reference server has. */
const document = JSON.stringify({
  '@context': { hydra: 'http://www.w3.org/ns/hydra/core#', schema: 'http://schema.org/' },
  '@id': '/api/books',
  '@type': 'hydra:Collection',
  'hydra:member': [1, 2, 3, 4, 5].map((number) => ({
    '@id': `/api/books/${number}`,
    '@type': 'schema:Book',
    'schema:name': `Book ${number}`,
  })),
});

/** The plugin as a user registers it, from the build, on a server like the bare one. */
async function plugin(): Promise<Ready> {
  const { hydraAuth } = (await import(built('reference-server', 'hapi.js'))) as typeof Plugin;
  const server = hapiServer();
  await server.register({ plugin: hydraAuth, options: { users: [{ ...user, id: Number(user.id) }], basePath: '/api' } });
  return serving(server, () => document);
}

/** Written by every HTTP library. */
const ownLines = ['date', 'content-length', 'connection', 'keep-alive'];

/** What somebody would write with Hapi alone: a scheme that looks into Maps, one route, the same octets on the wire as at this address. */
async function bare(): Promise<Ready> {
  const { like } = settingsOf<{ like: string }>();
  const names = spec.protocol.headers;
  const [nonceKey, tokenKey] = [names.nonce.toLowerCase(), names.token.toLowerCase()];
  const take = async (headers: Record<string, string>) => {
    const response = await fetch(`${like}/books`, { headers });
    const { status, headers: came } = response;
    const lines = [...came].filter(([name]) => ![...ownLines, nonceKey, tokenKey].includes(name));
    return { status, lines, body: await response.text(), nonce: came.get(nonceKey) ?? '', token: came.get(tokenKey) ?? '' };
  };
  const challenge = await take({});
  const exchange = await take({ [names.nonce]: challenge.nonce, [names.authorization]: authorization });
  const use = await take({ [names.token]: exchange.token });

  const tokens = new Map<string, string>();
  const nonces = new Set<string>();
  const users = new Map([[user.id, user.paraphrase]]);
  const respond = (h: ResponseToolkit, { status, lines, body }: typeof use, ...more: [name: string, value: string][]) => {
    const response = h.response(body).code(status);
    for (const [name, value] of [...lines, ...more]) response.header(name, value);
    return response;
  };
  const exchanged = ({ headers }: Request): string | undefined => {
    const { [nonceKey]: nonce, authorization: credentials } = headers as Record<string, string | undefined>;
    if (nonce === undefined || credentials === undefined || !nonces.delete(nonce)) return undefined;
    const [id = '', ...paraphrase] = Buffer.from(credentials.slice(6), 'base64').toString('utf8').split(':');
    if (users.get(id) !== paraphrase.join(':')) return undefined;
    const token = randomBytes(32).toString('hex');
    tokens.set(token, id);
    return token;
  };
  const server = hapiServer();
  server.auth.scheme('trivial', () => ({
    authenticate(request, h) {
      const token = request.headers[tokenKey] as string | undefined;
      if (token !== undefined && tokens.has(token)) return h.authenticated({ credentials: { user: tokens.get(token) } });
      const issued = exchanged(request);
      if (issued !== undefined) return respond(h, exchange, [names.token, issued]).takeover();
      const nonce = randomUUID();
      nonces.add(nonce);
      return respond(h, challenge, [names.nonce, nonce]).takeover();
    },
  }));
  server.auth.strategy('default', 'trivial');
  server.auth.default('default');
  return serving(server, (_request, h) => respond(h, use));
}

/** The proxy as `hydrauth proxy` starts it, from the build. */
async function proxy(): Promise<Ready> {
  const { openProxy } = (await import(built('conformance', 'client', 'index.js'))) as typeof Client;
  const { url } = await openProxy({ baseUrl: settingsOf<{ baseUrl: string }>().baseUrl, user });
  return { url };
}

/** Lets a server listen that stands before another one. */
async function before({ pathname }: URL, server: Server): Promise<Ready> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}` };
}

/** The proxy that somebody would write with Node.js alone. */
function plainProxy(): Promise<Ready> {
  const behind = new URL(settingsOf<{ baseUrl: string }>().baseUrl);
  const { hostname, port } = behind;
  const agent = new Agent({ keepAlive: true });
  const server = createServer((req, res) => {
    const { method = '', url: path = '', headers } = req;
    const asking = ask({ hostname, port, agent, method, path, headers }, (came) => {
      res.writeHead(came.statusCode ?? 0, came.headers);
      came.pipe(res);
    });
    req.pipe(asking);
  });
  return before(behind, server);
}

/** Hands every chunk on after a pause: half of the round trip on the way there, half on the way back. */
function distant(): Promise<Ready> {
  const { baseUrl, roundTripMs } = settingsOf<{ baseUrl: string; roundTripMs: number }>();
  const behind = new URL(baseUrl);
  const later = (work: () => void) => setTimeout(work, roundTripMs / 2);
  const pass = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => later(() => to.writable && to.write(chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => later(() => to.destroy()));
  };
  const server = tcpServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(behind.port), host: '127.0.0.1', noDelay: true });
    pass(near, far);
    pass(far, near);
  });
  return before(behind, server);
}

/** The servers that are measured, each in a process of its own. It says where it listens, and from then on what it has used up. */
const servers = { reference, plugin, bare, proxy, plainProxy, distant };
export type Kind = keyof typeof servers;

const ready = await servers[settingsOf<{ kind: Kind }>().kind]();
answerWith(usage);
tell(ready);
