// The protocol on plain node:http, written from its text alone and without a line of the reference server.
// Answers differ from it wherever the text leaves them open. Prints its base URL. A mistake can be asked for as an argument.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const mistake = process.argv[2] ?? 'none';
const users = new Map([
  ['7', 'open sesame'],
  ['8', 'x:y'],
]);
const nonces = new Map();
const tokens = new Map();
const lifetimeMs = mistake === 'short' ? 44 * 60_000 : 45 * 60_000;
const startedAtMs = Date.now();

const server = createServer((request, response) => {
  request.resume();
  const send = (status, value, headers = {}) => {
    const body = Buffer.from(JSON.stringify(value, null, 2));
    response.writeHead(status, {
      'content-type': 'application/ld+json; charset=utf-8',
      link: '<http://elsewhere.example/terms>; rel=license, </vocab>; rel="help http://www.w3.org/ns/hydra/core#apiDocumentation"',
      'access-control-allow-origin': '*',
      'content-length': body.length,
      ...headers,
    });
    response.end(body);
  };
  const challenge = () => {
    const nonce = randomUUID().toUpperCase();
    nonces.set(nonce, Date.now());
    send(
      401,
      { 401: 'Need credentials to authenticate' },
      { 'www-authenticate': 'Bearer, Basic charset="UTF-8", realm="Login required"', 'x-authentication': nonce },
    );
  };
  const url = new URL(request.url, 'http://here');
  const token = request.headers['x-authorization'];
  const nonce = request.headers['x-authentication'];
  const authorization = request.headers.authorization;
  if (token !== undefined && nonce === undefined) {
    const at = mistake === 'from-the-start' && tokens.has(token) ? startedAtMs : tokens.get(token);
    if (at === undefined || Date.now() - at > lifetimeMs) return send(403, { 403: 'This token does not open anything' });
    if (url.pathname === '/vocab' || url.pathname === '/items')
      return send(200, [{ '@id': url.pathname, 'http://schema.org/name': [{ '@value': 'item' }] }]);
    return send(404, { 404: 'Not here' });
  }
  if (nonce !== undefined && authorization !== undefined) {
    const [scheme, encoded] = authorization.split(' ');
    const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
    const colon = text.indexOf(':');
    const right = scheme.toLowerCase() === 'basic' && colon > 0 && users.get(text.slice(0, colon)) === text.slice(colon + 1);
    if (!right || !nonces.has(nonce)) return send(400, { 400: 'These credentials are wrong' });
    const value = randomBytes(16).toString('hex').toUpperCase();
    tokens.set(value, Date.now());
    return send(200, { 200: 'User token generated' }, { 'x-authorization': value });
  }
  return challenge();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
