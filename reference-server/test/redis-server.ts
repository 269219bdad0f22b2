import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '../../spec/test/listening.js';
import { scratch } from '../../spec/test/scratch.js';

/** A real redis-server on a free port, which writes everything down before it answers. */
export class RedisServer {
  readonly #program: string;
  readonly #port: number;
  #folder = scratch();
  #process: ChildProcess | undefined;

  private constructor(program: string, port: number) {
    this.#program = program;
    this.#port = port;
  }

  /** Other settings than the usual ones, from the next start on. */
  settings: Readonly<Record<string, string>> = {};

  static async start(program: string): Promise<RedisServer> {
    const server = new RedisServer(program, await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const settings = {
      port: this.#port,
      bind: '127.0.0.1',
      dir: this.#folder,
      save: '',
      appendonly: 'yes',
      appendfsync: 'always',
      ...this.settings,
    };
    const child = spawn(
      this.#program,
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
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
