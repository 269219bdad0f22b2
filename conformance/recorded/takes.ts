import { createExpander } from '../expect/index.js';
import { type AnswerLaw, answerLaws } from '../laws/index.js';
import { exchangeOf, type HarEntry, type HarFile, type Place, pathOf } from '../recording/index.js';
import { monitorAnswers } from '../run/index.js';
import type { Looked } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** An entry of a file and when it was sent. The entry itself is read again when its turn comes, because files may be large. */
export interface Take {
  readonly har: HarFile;
  readonly place: Place;
  readonly sentAtMs: number;
  readonly durationMs: number;
}

/** A request that goes out, or whose answer is there. */
interface Cue<Each> {
  readonly kind: 'begins' | 'ends';
  readonly take: Each;
  readonly exchange: Exchange;
  readonly entry: HarEntry;
}

/** All requests and answers in their order. */
export function* inOrder<Each extends Take>(takes: readonly Each[]): Generator<Cue<Each>> {
  const events = takes.flatMap((take) => [
    { kind: 'begins' as const, take, atMs: take.sentAtMs },
    { kind: 'ends' as const, take, atMs: take.sentAtMs + take.durationMs },
  ]);
  events.sort((one, other) => one.atMs - other.atMs);
  const underWay = new Map<Each, Omit<Cue<Each>, 'kind'>>();
  for (const { kind, take } of events) {
    if (kind === 'begins') {
      const entry = take.har.entry(take.place) as HarEntry;
      underWay.set(take, { take, entry, exchange: exchangeOf(entry, take.sentAtMs) });
    }
    const cue = underWay.get(take) as Omit<Cue<Each>, 'kind'>;
    if (kind === 'ends') underWay.delete(take);
    yield { kind, ...cue };
  }
}

/** What holds recorded answers to the laws about answers. `documents` are the contexts that they may name, by their paths. */
export function monitorOf(
  known: Pick<Looked, 'protocol' | 'baseUrl' | 'oracle' | 'facts'>,
  documents: ReadonlyMap<string, Exchange>,
  laws: readonly AnswerLaw[] = answerLaws,
) {
  const fetchContext = async ({ href }: URL) => documents.get(pathOf(href)) ?? notRecorded(pathOf(href));
  const subject: Looked = { ...known, expander: createExpander({ baseUrl: known.baseUrl, fetchContext }), firstSeen: new Map() };
  return { subject, monitor: monitorAnswers(laws, () => subject) };
}

function notRecorded(target: string): Exchange {
  const problem = { code: 'aborted', message: 'The recording does not have it.' } as const;
  return { request: { method: 'GET', target, headers: [] }, problem, sentAtMs: 0, durationMs: 0 };
}
