import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command, isBuilt } from '../../conformance/test/command.js';
import { packageFile } from '../../spec/index.js';
import { freePort } from '../../spec/test/listening.js';
import { scratch } from '../../spec/test/scratch.js';
import { askScript, Desk } from './desk.js';

/** How a process is started that reads TypeScript. */
export const readingTypes = `--import ${pathToFileURL(packageFile('node_modules', 'tsx', 'dist', 'esm', 'index.mjs'))}`;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
}

/** A folder in which a reader of a guide works: hydrauth is installed, as it was built or from the sources, and nothing is fetched from anywhere. */
export class Workplace {
  readonly folder = scratch();
  readonly #running = new Set<ChildProcess>();
  readonly #desk = new Desk(join(this.folder, 'desk'));
  /** Free ports that stand for those in the guides. */
  readonly #ports = new Map<string, string>();

  constructor() {
    const modules = join(this.folder, 'node_modules');
    const installed = join(modules, 'hydrauth');
    mkdirSync(installed, { recursive: true });
    symlinkSync(isBuilt() ? packageFile('dist') : packageFile(), join(installed, 'dist'));
    for (const name of ['vitest', '@hapi']) symlinkSync(packageFile('node_modules', name), join(modules, name));
    const { exports } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { exports: object };
    const described = JSON.stringify({ name: 'hydrauth', type: 'module', exports });
    writeFileSync(join(installed, 'package.json'), isBuilt() ? described : described.replaceAll('.js"', '.ts"'));
    this.file('package.json', '{"type": "module"}');
    const program = (name: string, lines: string) => chmodSync(this.file(join('bin', name), `#!/bin/sh\n${lines}\n`), 0o755);
    const node = `exec '${process.execPath}'`;
    const main = command.at(-1);
    const asking = this.file('ask.cjs', askScript(this.#desk.path));
    // A process of its own, where its clock is moved or it starts others; elsewhere this process answers, which takes no time to start.
    const judged = `test "$1" = check-client && shift && set -- check-client --only client.token-sent client.redirect-secrets "$@"`;
    program(
      'hydrauth',
      `if test -n "$LD_PRELOAD" || { ${judged}; }; then ${node} '${main}' "$@"; fi\nNODE_OPTIONS= ${node} '${asking}' "$@"`,
    );
    // What npm would fetch is here already.
    program('npm', 'test "$1" = install');
    const found = (name: string, file: string) => `${name}) shift; ${node} '${packageFile('node_modules', file)}' "$@";;`;
    const tools = [found('newman', 'newman/bin/newman.js'), found('vitest', 'vitest/vitest.mjs')];
    program('npx', `test "$1" = --yes && shift\ncase "$1" in hydrauth*) shift; exec hydrauth "$@";; ${tools.join(' ')} *) exit 127;; esac`);
  }

  file(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Text of a guide with ports of this machine in place of its own. */
  here(text: string): string {
    return text.replace(/(?<=127\.0\.0\.1:|localhost:|port:? |PORT=)(\d{4,5})\b/g, (port) => this.#ports.get(port) ?? port);
  }

  async takePort(guide: string): Promise<number> {
    return this.usePort(guide, await freePort());
  }

  usePort(guide: string, port: number): number {
    this.#ports.set(guide, String(port));
    return port;
  }

  /** Runs shell text to its end. */
  async run(text: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const { child, said } = this.#spawn(text, env);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out: said() };
  }

  /** Starts what does not end by itself, waits for words of it, and gives all that it said. */
  async start(text: string, ready: RegExp): Promise<string> {
    const { child, said } = this.#spawn(text, {});
    await new Promise<void>((resolve, reject) => {
      child.once('close', (code) => reject(new Error(`it ended with ${code}: ${said()}`)));
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => ready.test(said()) && resolve());
    });
    return said();
  }

  /** Ends what was started. */
  async stop(): Promise<void> {
    const ended = [...this.#running].map((child) => new Promise((resolve) => child.once('close', resolve)));
    for (const { pid } of this.#running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await Promise.all(ended);
  }

  async close(): Promise<void> {
    await this.stop();
    this.#desk.close();
  }

  #spawn(text: string, env: NodeJS.ProcessEnv) {
    const { VITEST: _, CI: __, ...own } = process.env;
    const child = spawn('bash', ['-e', '-c', this.here(text)], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...own,
        PATH: `${join(this.folder, 'bin')}:${process.env['PATH']}`,
        NODE_OPTIONS: isBuilt() ? '' : readingTypes,
        NO_COLOR: '1',
        ...env,
      },
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (out += part));
    return { child, said: () => out };
  }
}
