import { readdirSync } from 'node:fs';
import { manualClock, startReferenceServer } from '../../reference-server/index.js';
import { answerWith, settingsOf, tell } from '../children.js';

/** What the server process holds, after a collection. */
export interface Held {
  readonly residentMb: number;
  readonly heapMb: number;
  readonly handles: number;
}

/** The reference server for the soak: its clock is moved and its memory read from outside. */
const clock = manualClock();
const { user } = settingsOf<{ user: { id: number; paraphrase: string } }>();
const server = await startReferenceServer({ clock, clockControl: false, recordLast: 0, users: [user], collections: ['books'] });
answerWith(async ({ minutes }: { minutes: number }): Promise<Held> => {
  clock.advance({ minutes });
  await new Promise((resolve) => setTimeout(resolve, 200)); // until the connections of the load are closed here, too
  global.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentMb: rss / 2 ** 20, heapMb: (heapUsed + external) / 2 ** 20, handles: readdirSync('/proc/self/fd').length };
});
tell({ url: server.url });
