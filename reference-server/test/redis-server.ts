import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '../../spec/test/listening.js';
import { scratch } from '../../spec/test/scratch.js';

/** A real redis-server on a free port, which writes everything down before it answers. */
export class RedisServer {
  readonly url: string;
  /** Other settings than the usual ones, from the next start on. */
  settings: Readonly<Record<string, string>> = {};
  #folder = scratch();
  #process: ChildProcess | undefined;

  private constructor(
    private readonly program: string,
    private readonly port: number,
  ) {
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(program: string): Promise<RedisServer> {
    const server = new RedisServer(program, await freePort());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const usual = { port: this.port, bind: '127.0.0.1', dir: this.#folder, save: '', appendonly: 'yes', appendfsync: 'always' };
    const words = Object.entries({ ...usual, ...this.settings }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(this.program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
      child.once('exit', () => reject(new Error('redis-server ended')));
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill(signal);
    });
  }

  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** The next start finds nothing. */
  forget(): void {
    this.#folder = scratch();
  }
}
