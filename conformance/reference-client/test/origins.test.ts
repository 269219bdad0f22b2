import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listening } from '../../../spec/test/listening.js';
import { hydraClient, TooManyRedirects } from '../index.js';

/** A service that serves whoever brings the token `abc`, and sends readers of /away elsewhere. */
function service(away: string, status: number): RequestListener {
  return (request, response) => {
    const { 'x-authorization': token, 'x-authentication': nonce, authorization } = request.headers;
    request.resume();
    if (token === 'abc') {
      const to = { '/away': away, '/moved': '/books', '/round': '/round' }[request.url ?? ''];
      return to === undefined ? response.end(request.method) : response.writeHead(status, { Location: to }).end();
    }
    if (nonce === 'n' && authorization !== undefined) return response.writeHead(200, { 'X-Authorization': 'abc' }).end();
    return response.writeHead(401, { 'X-Authentication': 'n' }).end();
  };
}

async function listen(listener: RequestListener) {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    listener(request, response);
  });
  return { ...(await listening(server)), heard };
}

const open: RequestListener = (request, response) => response.end(`${request.method} at the stranger's`);

async function scene(stranger: RequestListener, status = 302) {
  const away = await listen(stranger);
  const here = await listen(service(away.url, status));
  const api = hydraClient({ baseUrl: here.url, user: 1, paraphrase: 'secret' });
  const dispose = () => Promise.all([away, here].map((each) => each[Symbol.asyncDispose]())).then(() => {});
  return { api, away, here, [Symbol.asyncDispose]: dispose };
}

const secrets = ['authorization', 'x-authorization', 'x-authentication', 'cookie'];
const told = (heard: readonly IncomingHttpHeaders[]) =>
  heard.flatMap((headers) => Object.keys(headers).filter((name) => secrets.includes(name)));

test('another origin that sends back to the API gets the answer there', async () => {
  let back = '';
  await using at = await scene((_, response) => response.writeHead(302, { Location: back }).end());
  back = `${at.here.url}/books`;
  expect((await at.api.fetch('away')).status).toBe(200);
  expect(told(at.away.heard)).toEqual([]);
});

describe('a redirect within the API', () => {
  test.each([
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ])('with %i is followed with the token: %s becomes %s', async (status, method, becomes) => {
    await using at = await scene(open, status);
    expect(await (await at.api.fetch('moved', { method, body: '{}' })).text()).toBe(becomes);
  });

  test('is handed on, or an error, when the caller wishes so', async () => {
    await using at = await scene(open);
    expect((await at.api.fetch('moved', { redirect: 'manual' })).status).toBe(302);
    await expect(at.api.fetch('moved', { redirect: 'error' })).rejects.toBeInstanceOf(TypeError);
  });

  test('is not followed for ever', async () => {
    await using at = await scene(open);
    await expect(at.api.fetch('round')).rejects.toBeInstanceOf(TooManyRedirects);
  });
});
