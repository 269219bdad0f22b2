import { exchangeOf, type HarEntry, type HarFile, type Place } from '../recording/index.js';
import type { Exchange } from '../wire/index.js';

/** An entry of a file and when it was sent. The entry itself is read again when its turn comes, because files may be large. */
export interface Take {
  readonly har: HarFile;
  readonly place: Place;
  readonly sentAtMs: number;
  readonly durationMs: number;
}

/** A request goes out, or its answer is there. */
export interface Cue {
  readonly kind: 'begins' | 'ends';
  readonly exchange: Exchange;
  readonly entry: HarEntry;
}

/** All requests and answers in their order. `targetOf`: what of its URL a request asked the service for. */
export function* inOrder<Each extends Take>(takes: readonly Each[], targetOf: (url: string) => string): Generator<Cue & { take: Each }> {
  const events = takes.flatMap((take) => [
    { kind: 'begins' as const, take, atMs: take.sentAtMs },
    { kind: 'ends' as const, take, atMs: take.sentAtMs + take.durationMs },
  ]);
  events.sort((one, other) => one.atMs - other.atMs);
  const underWay = new Map<Each, Omit<Cue, 'kind'>>();
  for (const { kind, take } of events) {
    if (kind === 'begins') {
      const entry = take.har.entry(take.place) as HarEntry;
      underWay.set(take, { entry, exchange: exchangeOf(entry, targetOf(entry.request.url), take.sentAtMs) });
    }
    const cue = underWay.get(take) as Omit<Cue, 'kind'>;
    if (kind === 'ends') underWay.delete(take);
    yield { kind, take, ...cue };
  }
}

/** Path and query of an address, as they went on the wire. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '') || '/';
