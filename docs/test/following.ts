import { expect, vi } from 'vitest';
import { type Need, needs } from '../../fixtures/test/needs.js';
import { type RunningServer, startReferenceServer } from '../../reference-server/index.js';
import type { Block } from './blocks.js';
import { readingTypes, type Workplace } from './workplace.js';

/** Follows one block of a guide; without the program that it needs, the test is skipped. */
export type Follow = ((block: Block, place: Workplace) => Promise<unknown>) & { readonly needed?: Need };

export const faketime = needs('libfaketime');
export const python = needs('python3');
let service: RunningServer | undefined;

const users = [
  { id: 1, paraphrase: 'secret' },
  { id: 2, paraphrase: 'smörgås:bord' },
];

/** A service as the guides suppose it, at their port 8080. */
export async function served(place: Workplace): Promise<void> {
  await freed();
  service = await startReferenceServer({ clock: 'manual', users, collections: ['people'] });
  place.usePort('8080', Number(new URL(service.url).port));
  place.usePort('9091', Number(new URL(service.clockUrl as string).port));
}

export async function freed(): Promise<void> {
  await service?.close();
  service = undefined;
}

/** Carries out shell text as it stands and holds its exit code, and words that it must say, against what the guide says. */
export const run =
  (code = 0, says = /^/, env: NodeJS.ProcessEnv = {}): Follow =>
  async ({ text }, place) => {
    const ran = await place.run(text, env);
    expect(ran.out).toMatch(says);
    expect(ran.code, ran.out).toBe(code);
    return ran.out;
  };

export const withService =
  (follow: Follow): Follow =>
  async (block, place) => {
    await served(place);
    return follow(block, place);
  };

/** Starts what the guide lets run, at a port of its own. */
export const start =
  (ready = /listens at (\S+)/, more = ''): Follow =>
  async ({ text }, place) => {
    await freed();
    await place.stop();
    await place.takePort('8080');
    return place.start(more + text, ready);
  };

/** Saves what the guide says to save. */
export const saved =
  (name: string): Follow =>
  async ({ text }, place) =>
    place.file(name, place.here(text));

let modules = 0;

/** The same calls, with less to try: what a run finds is for other tests. */
export const fewer = (text: string) =>
  text
    .replace("users: ['1:secret']", "users: ['1:secret'], only: ['exchange.status'], engine: 'laws', runs: 1")
    .replace("name: 'my client',", "name: 'my client', only: ['client.token-sent'],");

/** Runs a module, with what the guide takes for granted before it, and an end behind it. */
export const module =
  (before = '', after = '', says = /^/): Follow =>
  async ({ text, language }, place) => {
    const file = place.file(`block-${++modules}.${language}`, place.here(`${before}\n${fewer(text)}\n${after}`));
    // Node.js 20 needs a loader for this.
    if (text.includes('await using')) return run(0, says)({ page: '', line: 0, language, text: `node ${readingTypes} ${file}` }, place);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    process.env['PARAPHRASE'] = 'secret';
    await import(/* @vite-ignore */ file);
    expect(log.mock.calls.map((words) => words.join(' ')).join('\n')).toMatch(says);
    return log.mockRestore();
  };

/** Not run, because. */
export const left = (because: string): Follow & { readonly because: string } => Object.assign(async () => {}, { because });
