import type * as Reference from '../../reference-server/index.js';
import { built } from '../build.js';
import { settingsOf, tell } from '../children.js';

/** The reference server behind a limit: so many requests in each second, and 429 for the others. */
const { startReferenceServer } = (await import(built('reference-server', 'index.js'))) as typeof Reference;
const { perSecond, ...settings } = settingsOf<Reference.StartOptions & { perSecond: number }>();
let second = { beganMs: 0, taken: 0 };

function isTooMany(): boolean {
  const nowMs = performance.now();
  if (nowMs - second.beganMs >= 1000) second = { beganMs: nowMs, taken: 0 };
  second.taken += 1;
  return second.taken > perSecond;
}

const server = await startReferenceServer({
  recordLast: 0,
  clock: 'manual',
  ...settings,
  parts: (parts) => ({
    ...parts,
    guard: {
      ...parts.guard,
      decide: (request, all) => (isTooMany() ? all.answers.error(429, request.base, all) : parts.guard.decide(request, all)),
    },
  }),
});
tell({ url: server.url, clock: server.clockUrl });
