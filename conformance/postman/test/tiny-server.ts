import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listening, pour } from './tiny-net.js';
import { known, type Trait } from './tiny-traits.js';

export interface TinyServer {
  readonly baseUrl: string;
  readonly clockUrl: string;
  /** What was received: method, path, and whether it carried anything valid. */
  readonly received: { method: string; path: string; authorised: boolean; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

const user = { id: '7', paraphrase: 'pass:wörd €' };

/** A second, independent implementation of the protocol, spelled out by hand: it shares nothing with the kit, so that neither can hide the other's mistake. */
export async function startTinyServer(...traits: Trait[]): Promise<TinyServer> {
  traits.forEach(known);
  const has = (trait: Trait) => traits.includes(known(trait));
  const received: TinyServer['received'] = [];
  const nonces = new Set<string>();
  const tokens = new Map<string, number>();
  const minutes45 = 45 * 60 * 1000;
  let offsetMs = 0;
  let attempts = 0;
  let base = '';
  // Stands still unless it is moved, so that a busy machine ages no token.
  const startedAtMs = Date.now();
  const now = () => startedAtMs + offsetMs;

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string | string[]> = {},
  ) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const link = has('other-link') ? `<${base}/docs>` : has('relative-link') ? '<vocab>' : `<${base}/vocab>`;
    const described = `${link}; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
    response.statusCode = status;
    response.sendDate = !has('no-date') && !has('odd-date');
    if (has('odd-date')) response.setHeader('Date', new Date().toISOString());
    response.setHeader(
      'content-type',
      has('plain-json')
        ? 'application/json'
        : has('with-parameters')
          ? 'Application/LD+JSON; charset=utf-8; profile="a;b"'
          : 'application/ld+json',
    );
    response.setHeader(
      'Link',
      has('many-links')
        ? [
            '<https://else.example/a,b>; rel="next"',
            `</x>; title="a \\"b\\", <c>"; rel=prev, ${link}; REL="self HTTP://www.w3.org/ns/hydra/core#apiDocumentation"`,
          ]
        : described,
    );
    if (has('echo-origin')) response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
    else if (!has('no-allow-origin')) response.setHeader('Access-Control-Allow-Origin', '*');
    if (!has('chunked')) response.setHeader('Content-Length', Buffer.byteLength(text));
    if (has('nonce-everywhere')) response.setHeader('X-Authentication', randomUUID());
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (has('chunked')) response.write(text.slice(0, 3));
    response.end(has('chunked') ? text.slice(3) : request.method === 'HEAD' ? '' : text);
  };

  const challenge = (request: IncomingMessage, response: ServerResponse) => {
    const nonce = has('same-nonce')
      ? '11111111-2222-4333-8444-555555555555'
      : has('plain-nonce')
        ? randomBytes(8).toString('hex')
        : randomUUID();
    nonces.add(nonce);
    const realm = `Basic realm="${has('other-realm') ? 'Please' : 'Login required'}"`;
    const message = has('html-challenge')
      ? '<p>Log in</p>'
      : { '401': has('other-message') ? 'Log in' : 'Need credentials to authenticate' };
    send(request, response, has('challenge-403') ? 403 : 401, message, {
      'WWW-Authenticate': has('many-schemes')
        ? ['Negotiate', 'Digest realm="x, Basic", nonce="a", basic charset="UTF-8", Realm="Login required", Bearer']
        : realm,
      ...(has('no-nonce') ? {} : { 'X-Authentication': nonce }),
    });
  };

  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    if (has('refuses-403')) return send(request, response, 403, { '403': 'No' });
    if (has('refuses-500')) return send(request, response, 500, 'oops');
    return challenge(request, response);
  };

  const tokenValid = (token: string | undefined, path: string): boolean => {
    if (token === undefined || has('token-ignored')) return false;
    if (has('any-token')) return true;
    const known = has('prefix-token') ? [...tokens.keys()].find((each) => each.startsWith(token) || token.startsWith(each)) : token;
    const issuedAt = tokens.get(known ?? '');
    if (issuedAt === undefined) return false;
    if (has('token-for-collection-only') && path === '/vocab') return false;
    const age = now() - issuedAt;
    if (!has('never-expires') && age >= (has('half-lifetime') ? minutes45 / 3 : minutes45)) return false;
    if (has('sliding')) tokens.set(token, now());
    if (has('single-use-token')) tokens.delete(token);
    return true;
  };

  const credentialsValid = (authorization: string | undefined): boolean => {
    if (authorization === undefined) return has('no-credentials-needed');
    if (has('locks-accounts') && attempts > 0) return false;
    const [, id, paraphrase] = /^([^:]*):(.*)$/s.exec(Buffer.from(authorization.replace(/^basic +/i, ''), 'base64').toString('utf8')) ?? [];
    const valid = (id === user.id || has('any-user')) && (paraphrase === user.paraphrase || has('any-paraphrase'));
    if (!valid) attempts += 1;
    return valid;
  };

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').slice('/api'.length);
    const header = (name: string) => request.headers[name] as string | undefined;
    const [nonce, token, authorization] = [header('x-authentication'), header('x-authorization'), header('authorization')];
    if (has('hang-up')) return request.socket.destroy();
    if (has('switches')) return void request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    if (has('silent')) return undefined;
    if (has('garbage')) return request.socket.end('\0\xff not http at all\r\n\r\n');
    if (has('endless') || has('dripping')) return pour(response, has('endless') ? 0 : 20);
    if (has('bomb')) return response.writeHead(401, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    if (has('deep')) return send(request, response, 401, '['.repeat(200_000), { 'X-Authentication': '{{$guid}}{{a}}' });
    if (has('slow-down')) return send(request, response, 429, { '429': 'Slow down' });
    if (has('busy-after-login') && token !== undefined) return send(request, response, 503, { '503': 'Busy' }, { 'Retry-After': '1' });
    if (has('redirect')) return send(request, response, 302, '', { Location: 'http://127.0.0.1:9/' });
    const open = tokenValid(token, path);
    const nonceValid = nonce === undefined ? has('no-nonce-needed') : nonces.has(nonce) || has('any-nonce');
    const credentials = (authorization !== undefined || nonce !== undefined) && !open && nonceValid && credentialsValid(authorization);
    received.push({ method: request.method ?? '', path, authorised: open || credentials, headers: request.headers });
    if (credentials && !has('exchange-refused')) {
      if (!has('nonces-reusable')) nonces.delete(nonce ?? '');
      const issued = has('same-token')
        ? 'abcdef0123456789'
        : has('base64-token')
          ? `${randomBytes(20).toString('base64url')}-_`
          : randomBytes(20).toString('hex');
      if (has('last-login-only')) tokens.clear();
      tokens.set(issued, now());
      const message = has('exchange-message') ? 'Welcome' : 'User token generated';
      return send(
        request,
        response,
        has('exchange-201') ? 201 : 200,
        { '200': message },
        has('no-token') ? {} : { 'X-Authorization': has('empty-token-line') ? ['', issued] : issued },
      );
    }
    const strangerMayPass =
      has('served-to-all') ||
      (has('open-vocabulary') && path === '/vocab') ||
      (has('open-after-login') && tokens.size > 0 && token === undefined && authorization === undefined && nonce === undefined) ||
      (has('open-delete') && request.method === 'DELETE');
    if (!open && !strangerMayPass && !(has('open-404') && path.startsWith('/hydrauth'))) {
      return authorization === undefined && nonce === undefined && token === undefined
        ? challenge(request, response)
        : refuse(request, response);
    }
    if (path === '/things')
      return send(request, response, 200, { '@context': { '@vocab': 'https://schema.org/' }, '@id': '/api/things', name: 'Thíngs' });
    if (path === '/vocab' && !has('no-vocabulary')) return send(request, response, 200, { '@context': {}, '@id': '/api/vocab' });
    return send(request, response, 404, has('text-errors') ? 'nothing here' : { '404': 'Not found' });
  };

  const api = await listening(createServer((request, response) => void answer(request, response)));
  const clock = await listening(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'POST') offsetMs += (JSON.parse(Buffer.concat(chunks).toString()) as { advanceMs: number }).advanceMs;
        response.end(JSON.stringify({ now: new Date(now()).toISOString() }));
      });
    }),
  );
  base = `${api.url}/api`;
  return {
    baseUrl: base,
    clockUrl: `${clock.url}/clock`,
    received,
    async close() {
      await Promise.all([api.close(), clock.close()]);
    },
  };
}

export const tinyUser = user;
