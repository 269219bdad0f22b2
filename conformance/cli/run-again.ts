import { createHash } from 'node:crypto';
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { draftsOf } from '../report/index.js';
import { CallError } from './command.js';
import type { Io } from './io.js';

/** An editor or a build writes several files one after another. */
const settlesMs = 200;
/** So much of what is at an address tells whether it has changed. */
const mostOctets = 5 * 1024 * 1024;
const ignored = /(^|[/\\])(node_modules|\.git)([/\\]|$)/;
const isAddress = (text: string) => /^https?:\/\//i.test(text);

/** Files, folders and addresses; and the files that the runs write themselves. */
type Watching = Readonly<Record<'watched' | 'written', readonly string[]>>;

/** Runs, and again whenever something changes, until it is interrupted. Gives the exit code of the last run. */
export async function runAgain(once: () => Promise<number>, { watched, written }: Watching, io: Io, everyMs = 1000): Promise<number> {
  const changed = new Set<string>();
  let wake = () => {};
  const note = (what: string) => {
    changed.add(what);
    wake();
  };
  const own = written.map((file) => resolve(io.cwd, file));
  const watchers = watched.filter((each) => !isAddress(each)).map((each) => watchPath(each, own, io, note));
  const addresses = await Promise.all(watched.filter(isAddress).map(async (url) => ({ url, last: await looked(url) })));
  try {
    for (let code = await once(); ; code = await onceMore(once, io)) {
      if (io.signal.aborted) return code;
      if (changed.size === 0) io.err(`Waiting for a change of ${watched.join(', ')}. Ctrl-C ends.\n`);
      const interrupted = new Promise<void>((end) => io.signal.addEventListener('abort', () => end(), { once: true }));
      while (changed.size === 0 && !io.signal.aborted) {
        const woken = new Promise<void>((end) => {
          wake = end;
        });
        await Promise.race([woken, interrupted, ...(addresses.length === 0 ? [] : [after(everyMs)])]);
        for (const each of addresses) {
          const seen = await looked(each.url);
          if (seen !== undefined && seen !== each.last) note(each.url);
          each.last = seen;
        }
      }
      if (io.signal.aborted) return code;
      await after(settlesMs);
      io.err(`Changed: ${[...changed].join(', ')}.\n`);
      changed.clear();
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** A file that is being edited may be broken for a while, which ends nothing. */
async function onceMore(once: () => Promise<number>, io: Io): Promise<number> {
  try {
    return await once();
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('HYDRAUTH_')) throw error;
    io.err(`hydrauth check: ${(error as Error).message}\n`);
    return 2;
  }
}

/** Of a file its folder is watched: many programs replace a file instead of writing to it. */
function watchPath(path: string, own: readonly string[], { cwd }: Io, note: (what: string) => void): FSWatcher {
  const full = resolve(cwd, path);
  if (!existsSync(full)) throw new CallError(`--watch ${path}: there is no such file or folder`);
  const [folder, only] = statSync(full).isDirectory() ? [full, undefined] : [dirname(full), basename(full)];
  return watch(folder, { recursive: only === undefined }, (_, name) => {
    const file = join(folder, name ?? '');
    const isOwn = own.some((each) => file === each || file.startsWith(draftsOf(each)));
    if (!isOwn && !ignored.test(name ?? '') && (only === undefined || name === only)) note(path);
  });
}

/** What is at an address, without headers, which differ each time; undefined while nothing answers. */
async function looked(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) });
    const hash = createHash('sha256');
    let octets = 0;
    for await (const chunk of answer.body ?? []) {
      hash.update(chunk);
      octets += chunk.length;
      if (octets > mostOctets) break;
    }
    return `${answer.status} ${hash.digest('hex')}`;
  } catch (error) {
    // Whom its certificate comes from is no matter here.
    const code = String((error as { cause?: { code?: unknown } }).cause?.code);
    return /CERT|SSL|TLS|SIGNATURE/.test(code) ? code : undefined;
  }
}
