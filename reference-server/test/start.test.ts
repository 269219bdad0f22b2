import { expect, test } from 'vitest';
import { startReferenceServer } from '../index.js';

const collection = (url: string) => fetch(`${url}/books`);

test('works with no arguments, on a free port, and closes twice, at once although clients keep their connections', async () => {
  const server = await startReferenceServer();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  const answers = await Promise.all(Array.from({ length: 5 }, () => collection(server.url)));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  const begun = performance.now();
  await Promise.all([server.close(), server.close()]);
  expect(performance.now() - begun).toBeLessThan(4500);
  await server.close();
  await expect(collection(server.url)).rejects.toThrow();
});

test.each([
  [undefined, false],
  ['0.0.0.0', true],
])('with the host %s it is reached at other addresses: %s; its clock and its control never are', async (host, isReached) => {
  await using server = await startReferenceServer({ clock: 'manual', control: true, ...(host && { host }) });
  const elsewhere = (url = '') =>
    fetch(url.replace('127.0.0.1', '127.0.0.2')).then(
      () => true,
      () => false,
    );
  expect(await Promise.all([server.url, server.clockUrl ?? '', server.control?.url].map(elsewhere))).toEqual([isReached, false, false]);
});

test('a server without users says so, and takes no user who is none', async () => {
  await using server = await startReferenceServer({ users: [] });
  await expect(server.issueToken()).rejects.toThrow('there are none');
  await expect(server.issueToken(99)).rejects.toThrow('there is no user 99; there are none');
  await expect(server.addUser({ id: 8.5, paraphrase: 'x' })).rejects.toThrow('addUser: the id 8.5 is not an integer');
});
