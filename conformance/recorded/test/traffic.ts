import { writeFileSync } from 'node:fs';
import type { RunningServer } from '../../../reference-server/index.js';

/** An entry as tools write them; tests change what they are about. */
export interface Entry {
  startedDateTime: string;
  time: number;
  request: { method: string; url: string; headers: { name: string; value: string }[] };
  response?: { status: number; headers: { name: string; value: string }[]; content?: Record<string, unknown>; bodySize?: number };
}

const linesOf = (headers: Headers | Record<string, string>) => [...new Headers(headers)].map(([name, value]) => ({ name, value }));

/** A small client that keeps all that it sends and gets, as a tool would. */
export function taped({ url, clock }: Pick<RunningServer, 'url'> & { readonly clock?: { now(): number } }) {
  const entries: Entry[] = [];
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const get = async (headers: Record<string, string> = {}, path = '/books', method = 'GET') => {
    const startedDateTime = new Date(clock?.now() ?? Date.now()).toISOString();
    const answer = await fetch(`${url}${path}`, { headers, method });
    const text = await answer.text();
    const response = { status: answer.status, headers: linesOf(answer.headers), content: { size: Buffer.byteLength(text), text } };
    entries.push({ startedDateTime, time: 1, request: { method, url: `${url}${path}`, headers: linesOf(headers) }, response });
    return answer.headers;
  };
  const login = async (pair: string) => {
    const nonce = (await get()).get('X-Authentication') ?? '';
    return (await get({ 'X-Authentication': nonce, Authorization: basic(pair) })).get('X-Authorization') ?? '';
  };
  return { entries, get, login, basic };
}

export function writeHar(file: string, entries: readonly Entry[]): string {
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', creator: { name: 'a tool', version: '1' }, entries } }));
  return file;
}
