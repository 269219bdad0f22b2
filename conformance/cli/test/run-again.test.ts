import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReferenceServer } from '../../../reference-server/index.js';
import { listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { createIo, Interrupted } from '../io.js';
import { runAgain } from '../run-again.js';
import { calling } from './calling.js';

const folder = scratch();

/** Takes these steps, one each time the command waits, and then Ctrl-C. */
function atEachWait(...steps: (() => unknown)[]) {
  const interruption = new AbortController();
  const onErr = (text: string) => {
    if (!text.startsWith('Waiting for a change')) return;
    const step = steps.shift();
    if (step === undefined) interruption.abort(new Interrupted('SIGINT'));
    else step();
  };
  return { signal: interruption.signal, onErr };
}

test('check --watch runs again when a file of a folder changes, not for its own reports, and ends with the last exit code', async () => {
  await using server = await startReferenceServer({ users: [{ id: 1, paraphrase: 'secret' }], collections: ['people'] });
  const [users, report] = [join(folder, 'users.txt'), join(folder, 'report.json')];
  writeFileSync(users, '1:secret\n');
  const call = ['check', server.url, '--collection', 'people', '--users-file', users, '--engine', 'laws', '--only', 'challenge.body'];
  const spoil = () => writeFileSync(users, 'nobody\n');
  const { code, out, err } = await calling([...call, '--json', report, '--watch', folder], atEachWait(spoil));
  expect(out.match(/^Conformant: /gm)).toHaveLength(1);
  expect(err).toMatch(/^Waiting for .*\nChanged: .*\nhydrauth check: --users-file .*, line 1: a user has no colon.*\nWaiting for .*\n$/);
  expect(code).toBe(2);
  const missing = await calling([...call, '--watch', join(folder, 'none')]);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('there is no such file or folder') });
}, 120_000);

test('of what has no end so much is read as tells whether it has changed', async () => {
  let sent = 0;
  const server = createServer((_, answer) => {
    answer.on('close', () => (sent = answer.socket?.bytesWritten ?? 0));
    const more = () => void (answer.destroyed || answer.write('a'.repeat(65_536), more));
    more();
  });
  await using here = await listening(server);
  const { signal, onErr } = atEachWait();
  const io = createIo({ stdout: { write: () => {} }, stderr: { write: onErr }, env: {}, cwd: folder, signal });
  expect(await runAgain(async () => 7, { watched: [here.url], written: [] }, io)).toBe(7);
  expect(sent).toBeLessThan(50_000_000);
});

test('an address has changed when it answers something else, or again', async () => {
  let body = 'one';
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((_, answer) => answer.end(body)).listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const again = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    server = await listen(port);
  };
  const deploy = () => {
    body = 'two';
  };
  const { signal, onErr } = atEachWait(deploy, again);
  let runs = 0;
  let err = '';
  const stderr = {
    write(text: string) {
      err += text;
      onErr(text);
    },
  };
  const io = createIo({ stdout: { write: () => {} }, stderr, env: {}, cwd: folder, signal });
  const once = async () => {
    runs += 1;
    // While it is down it is no change; it is looked at again at once.
    if (runs === 2) body = 'three';
    return runs;
  };
  expect(await runAgain(once, { watched: [url], written: [] }, io, 1)).toBe(3);
  expect(err.match(/^Changed: /gm)).toHaveLength(2);
  server.close();
});
