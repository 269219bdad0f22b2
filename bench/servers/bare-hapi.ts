import { randomBytes, randomUUID } from 'node:crypto';
import { server as hapi, type Request, type ResponseToolkit } from '@hapi/hapi';
import { settingsOf } from '../children.js';
import type { Answers, RecordedAnswer } from './recorded.js';
import { serving } from './usage.js';

/** What somebody would write with Hapi alone: a scheme that looks into Maps, one route, the same octets on the wire. */
const { answers, user, headers } = settingsOf<{
  answers: Answers;
  user: { id: string; paraphrase: string };
  headers: { nonce: string; token: string };
}>();
const tokens = new Map<string, string>();
const nonces = new Set<string>();
const users = new Map([[user.id, user.paraphrase]]);

function respond(h: ResponseToolkit, { status, lines, body }: RecordedAnswer, name?: string, value?: string) {
  const response = h.response(body).code(status);
  for (const [header, text] of lines) response.header(header, text);
  if (name !== undefined && value !== undefined) response.header(name, value);
  return response;
}

function exchanged(request: Request): string | undefined {
  const nonce = request.headers[headers.nonce.toLowerCase()] as string | undefined;
  const authorization = request.headers['authorization'] as string | undefined;
  if (nonce === undefined || authorization === undefined || !nonces.delete(nonce)) return undefined;
  const [id = '', ...paraphrase] = Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':');
  if (users.get(id) !== paraphrase.join(':')) return undefined;
  const token = randomBytes(32).toString('hex');
  tokens.set(token, id);
  return token;
}

const server = hapi({ host: '127.0.0.1', port: 0, compression: false, debug: false, routes: { response: { ranges: false } } });
server.auth.scheme('trivial', () => ({
  authenticate(request, h) {
    const token = request.headers[headers.token.toLowerCase()] as string | undefined;
    if (token !== undefined && tokens.has(token)) return h.authenticated({ credentials: { user: tokens.get(token) } });
    const issued = exchanged(request);
    if (issued !== undefined) return respond(h, answers.exchange, headers.token, issued).takeover();
    const nonce = randomUUID();
    nonces.add(nonce);
    return respond(h, answers.challenge, headers.nonce, nonce).takeover();
  },
}));
server.auth.strategy('default', 'trivial');
server.auth.default('default');
server.route({ method: 'GET', path: '/api/{collection}', handler: (_request, h) => respond(h, answers.use) });
await server.start();
serving({ url: `http://127.0.0.1:${server.info.port}/api` });
