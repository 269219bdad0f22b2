import type * as Reference from '../../reference-server/index.js';
import { built } from '../build.js';
import { settingsOf } from '../children.js';
import { serving } from './usage.js';

/** The reference server as a user starts it, from the build; on request with a limit of so many requests in each second, and 429 for the others. */
const { startReferenceServer } = (await import(built('reference-server', 'index.js'))) as typeof Reference;
const { perSecond, ...settings } = settingsOf<Reference.StartOptions & { perSecond?: number }>();
let second = { beganMs: 0, taken: 0 };

function isTooMany(limit: number): boolean {
  const nowMs = performance.now();
  if (nowMs - second.beganMs >= 1000) second = { beganMs: nowMs, taken: 0 };
  second.taken += 1;
  return second.taken > limit;
}

const limited = (limit: number): Reference.StartOptions => ({
  parts: ({ guard, ...parts }) => ({
    ...parts,
    guard: {
      ...guard,
      decide: (request, all) => (isTooMany(limit) ? all.answers.error(429, request.base, all) : guard.decide(request, all)),
    },
  }),
});
const server = await startReferenceServer({ recordLast: 0, ...settings, ...(perSecond === undefined ? {} : limited(perSecond)) });
serving({ url: server.url, clock: server.clockUrl });
