import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { needs, underFaketime } from '../../../fixtures/test/needs.js';
import { openClock } from '../index.js';

const libfaketime = needs('libfaketime');
const python = needs('python3');

/** Servers that know nothing of being tested: they answer with the time in milliseconds. */
const servers = {
  python: {
    program: python.path,
    args: [
      '-c',
      [
        'import time, http.server',
        'class Handler(http.server.BaseHTTPRequestHandler):',
        '    def do_GET(self):',
        '        text = str(int(time.time() * 1000)).encode()',
        '        self.send_response(200); self.send_header("Content-Length", str(len(text))); self.end_headers(); self.wfile.write(text)',
        '    def log_message(self, *args): pass',
        'server = http.server.HTTPServer(("127.0.0.1", 0), Handler)',
        'print(server.server_port, flush=True)',
        'server.serve_forever()',
      ].join('\n'),
    ],
  },
  node: {
    program: process.execPath,
    args: [
      '-e',
      'const s = require("http").createServer((_, r) => r.end(String(Date.now()))).listen(0, "127.0.0.1", () => console.log(s.address().port))',
    ],
  },
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start({ program, args }: { program: string; args: string[] }): Promise<{ file: string; targetNow: () => Promise<number> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrauth-faketime-'));
  const file = join(folder, 'offset');
  // Before the server is there, as the file must be when it first looks.
  await (await openClock(`faketime:${file}`)).close();
  const child: ChildProcess = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...underFaketime(libfaketime.path, file),
    },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  ends.push(async () => {
    child.kill('SIGKILL');
    await closed;
    await rm(folder, { recursive: true, force: true });
  });
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { file, targetNow: async () => Number(await (await fetch(`http://127.0.0.1:${port}/`)).text()) };
}

describe.each(['python', 'node'] as const)('an unmodified %s server under libfaketime', (name) => {
  const missing = [libfaketime, ...(name === 'python' ? [python] : [])];
  const skip = missing.some((need) => need.skip);

  test.skipIf(skip)(`follows the clock, to the millisecond${missing.map((need) => need.note).join('')}`, async () => {
    const { file, targetNow } = await start(servers[name]);
    const clock = await openClock(`faketime:${file}`);
    const offset = async () => {
      const before = Date.now();
      const now = await targetNow();
      return { least: now - Date.now(), most: now - before };
    };
    let expected = 0;
    for (const ms of [0, 2_699_000, 750, 250, 3_600_000, 86_400_000]) {
      await clock.advance(ms);
      expected += ms;
      const { least, most } = await offset();
      expect(least).toBeLessThanOrEqual(expected + 2);
      expect(most).toBeGreaterThanOrEqual(expected - 2);
      expect(Math.abs(((await clock.now()) ?? 0) - (await targetNow()))).toBeLessThan(500);
    }
  });
});
