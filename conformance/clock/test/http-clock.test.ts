import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { listening } from '../../../spec/test/listening.js';
import { ClockError, ForeignMove, openClock } from '../index.js';

let answer: (body: string) => [number, string];
let url: string;
let seen: string[];

beforeEach(async () => {
  seen = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    seen.push(`${request.method} ${request.url} ${body}`.trim());
    const [status, said] = answer(body);
    response.writeHead(status).end(said);
  });
  const started = await listening(server);
  url = `${started.url}/clock?key=1`;
  return started.close;
});

const manual = () => {
  let now = Date.UTC(2026, 0, 1);
  answer = (body) => {
    now += body === '' ? 0 : (JSON.parse(body) as { advanceMs: number }).advanceMs;
    return [200, JSON.stringify({ now: new Date(now).toISOString() })];
  };
};

test('reads and moves the clock as the contract says', async () => {
  manual();
  const clock = await openClock(url);
  await clock.advance(2_700_000);
  expect(await clock.now()).toBe(Date.UTC(2026, 0, 1, 0, 45));
  expect(seen).toEqual(['GET /clock?key=1', 'POST /clock?key=1 {"advanceMs":2700000}', 'GET /clock?key=1']);
  expect(clock.description).not.toContain('key');
  await clock.close();
});

test.each<[number, string, RegExp]>([
  [404, '{}', /GET was answered with status 404 instead of 200/],
  [200, '<html>', /not answered with \{"now"/],
  [200, '{"now": 5}', /not answered with \{"now"/],
  [200, '{"now": "yesterday"}', /not answered with \{"now"/],
  [200, '{"now": "2026-13-45T00:00:00Z"}', /not answered with \{"now"/],
  [200, 'null', /not answered with \{"now"/],
])('refuses at once a clock that answers %i %s', async (status, text, words) => {
  answer = () => [status, text];
  const error = await openClock(url).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClockError);
  expect((error as Error).message).toMatch(words);
});

test('does not believe a clock that stands still or goes back', async () => {
  answer = () => [200, '{"now":"2026-01-01T00:00:00Z"}'];
  const clock = await openClock(url);
  await expect(clock.advance(60_000)).rejects.toThrow(/did not move as told/);
  answer = () => [200, '{"now":"2025-01-01T00:00:00+00:00"}'];
  await expect(clock.now()).rejects.toThrow(/did not move as told/);
  await clock.close();
});

test('sees a move that is not its own, but not that the clock runs', async () => {
  let now = Date.UTC(2026, 0, 1);
  answer = (body) => {
    now += body === '' ? 900 : 60_900;
    return [200, JSON.stringify({ now: new Date(now).toISOString() })];
  };
  const clock = await openClock(url);
  await clock.advance(60_000);
  await clock.now();
  now += 60_000;
  await expect(clock.advance(60_000)).rejects.toThrow(ForeignMove);
  await clock.close();
});
