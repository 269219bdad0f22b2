import { createServer, type Socket } from 'node:net';
import { call } from '../../conformance/cli/call.js';
import { createIo } from '../../conformance/cli/io.js';
import { packageFile } from '../../spec/index.js';

/** What a guide that does not say what to check is content with: what a run finds is for other tests. */
const usual = 'exchange.status token.any-connection expiry.refused-after';

interface Asked {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Answers calls of hydrauth from other processes in this one. */
export class Desk {
  readonly #server = createServer((socket) => this.#listen(socket));

  constructor(readonly path: string) {
    this.#server.listen(path).unref();
  }

  close(): void {
    process.chdir(packageFile());
    this.#server.close();
  }

  #listen(socket: Socket): void {
    const gone = new AbortController();
    let asked = '';
    socket.setEncoding('utf8').on('error', () => {});
    socket.once('close', () => gone.abort());
    socket.on('data', (part: string) => {
      asked += part;
      if (asked.endsWith('\n')) void this.#answer(JSON.parse(asked), socket, gone.signal);
    });
  }

  async #answer({ words, env, cwd }: Asked, socket: Socket, signal: AbortSignal): Promise<void> {
    const tell = (said: object) => socket.writable && socket.write(`${JSON.stringify(said)}\n`);
    const io = createIo({
      stdout: { write: (out: string) => tell({ out }) },
      stderr: { write: (out: string) => tell({ out }) },
      env,
      cwd,
      signal,
    });
    // Some files are looked for from the folder of the process.
    process.chdir(cwd);
    const few = words.includes('--only') ? [] : ['--only', ...(env['ONLY'] ?? usual).split(' ')];
    const code = await call(words[0] === 'check' ? [...words, ...few, '--runs=1', '--engine=laws'] : words, io);
    tell({ code });
  }
}

/** The program that asks at the desk. */
export const askScript = (path: string) => `
const socket = require('node:net').connect(${JSON.stringify(path)});
socket.write(JSON.stringify({ words: process.argv.slice(2), env: process.env, cwd: process.cwd() }) + '\\n');
let text = '';
socket.setEncoding('utf8').on('data', (part) => {
  text += part;
  const lines = text.split('\\n');
  text = lines.pop();
  for (const { out, code } of lines.map((line) => JSON.parse(line))) {
    if (out !== undefined) process.stdout.write(out);
    if (code !== undefined) process.exit(code);
  }
});
`;
