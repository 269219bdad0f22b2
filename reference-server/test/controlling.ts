import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type RunningServer, type StartOptions, startReferenceServer } from '../../fixtures/reference-server.js';
import { aliceBasic } from './support.js';

/** A call of the control listener: status and body. */
export type Calling = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<[number, unknown]>;

/** A server with control, closed with the test, and what talks to it. */
export async function controlled(options: StartOptions = {}) {
  const server = await startReferenceServer({ clock: 'manual', control: true, ...options });
  onTestFinished(() => server.close());
  const { url, token } = server.control as { url: string; token: string };
  const call: Calling = async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return [answer.status, text === '' ? undefined : JSON.parse(text)];
  };
  return { server, call, url, token, read: reader(server) };
}

export type Reading = (headers?: Record<string, string>, path?: string, method?: string) => Promise<Response>;

function reader(server: RunningServer): Reading {
  return async (headers = {}, path = '/books', method = 'GET') => {
    const answer = await fetch(`${server.url}${path}`, { headers, method });
    await answer.arrayBuffer();
    return answer;
  };
}

export async function logIn(read: Reading, authorization = aliceBasic): Promise<string> {
  const nonce = (await read()).headers.get('x-authentication') as string;
  return (await read({ 'x-authentication': nonce, authorization })).headers.get('x-authorization') as string;
}

/** `fetch` sets Host and Sec-Fetch-Site by itself. */
export function ask(url: string, headers: Record<string, string>, method = 'GET', path = '/', body?: object): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port: new URL(url).port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
    });
    asking.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
