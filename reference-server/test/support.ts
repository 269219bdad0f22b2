import { connect } from 'node:net';
import type { Server } from '@hapi/hapi';
import { expect } from 'vitest';

export const basic = (id: number | string, paraphrase: string) => `Basic ${Buffer.from(`${id}:${paraphrase}`).toString('base64')}`;

export const alice = { id: 1, paraphrase: 'correct horse battery staple' };
export const aliceBasic = basic(alice.id, alice.paraphrase);

type Headers = Record<string, string>;

export function get(server: Server, url: string, headers: Headers = {}, method = 'GET') {
  return server.inject({ method, url, headers });
}

export async function nonceOf(server: Server, url = '/api/books'): Promise<string> {
  return (await get(server, url)).headers['x-authentication'] as string;
}

export async function logIn(server: Server, authorization = aliceBasic): Promise<string> {
  const answer = await get(server, '/api/books', { 'x-authentication': await nonceOf(server), authorization });
  return answer.headers['x-authorization'] as string;
}

/** Sends octets as they are and returns all that comes until the server ends the connection, or the wanted number of answers; 'half closed', nothing more is sent. */
export function rawText(url: string, octets: string | Buffer, answers?: number | 'half closed'): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => (answers === 'half closed' ? socket.end(octets) : socket.write(octets)));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (typeof answers === 'number' && parseAnswers(text).length >= answers) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

export async function raw(url: string, octets: string | Buffer, answers?: number) {
  return parseAnswers(await rawText(url, octets, answers));
}

/** The whole answers in a text, framed by Content-Length. */
function parseAnswers(text: string) {
  const found: { status: number; headers: Record<string, string>; body: string }[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) break;
    found.push({ status: Number(line.slice(9, 12)), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return found;
}

/** What is missing of the five headers that every response carries. */
export function missingCommon(headers: Record<string, unknown>): string[] {
  return Object.entries({
    'content-type': /^application\/ld\+json$/,
    link: /^<http:\/\/[^>]+\/vocab>; rel="http:\/\/www\.w3\.org\/ns\/hydra\/core#apiDocumentation"$/,
    'access-control-allow-origin': /^\*$/,
    'content-length': /^[0-9]+$/,
    date: /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/,
  }).flatMap(([name, shape]) => (shape.test(String(headers[name])) ? [] : [name]));
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The whole of Step A but its body, which an answer to HEAD has not. */
export function expectChallenge(answer: Awaited<ReturnType<typeof get>>) {
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Basic realm="Login required"');
  expect(answer.headers['x-authentication']).toMatch(uuid);
  expect(answer.headers['x-authorization']).toBeUndefined();
  expect(missingCommon(answer.headers)).toEqual([]);
  expect(answer.headers['content-length']).toBe('42');
}
