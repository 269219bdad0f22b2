import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import type { User } from '../options.js';
import { writeWhole } from '../report/index.js';
import { kitVersion } from '../version.js';
import type { Exchange, RequestPlan } from '../wire/index.js';
import { entryOf } from './entry.js';
import type { OwnMove } from './har.js';
import { mask } from './masked.js';

type Labels = Readonly<Record<string, unknown>>;

export interface Recorder {
  /** An exchange that is over, in whatever order they end. */
  note(exchange: Exchange, labels?: Labels): void;
  /** What is known of a request only later. */
  label(request: RequestPlan, labels: Labels): void;
  /** The clock of the service was moved between these two instants of `performance.now()`. */
  moved(ms: number, fromMs?: number, toMs?: number): void;
  /** Writes the file. `found` goes with it: exchanges in it become the numbers of their entries. Says why where it cannot be written. */
  close(found?: Labels): string[];
}

export interface Recording {
  readonly file: string;
  readonly protocol: Protocol;
  /** Where the service is: targets without an origin are below it. */
  readonly baseUrl: URL;
  /** The users that are known beforehand. */
  readonly users?: readonly User[];
  /** Further secrets, such as the values of headers that a gateway needs. */
  readonly secrets?: readonly string[];
  /** Words that everybody may read, such as the names of collections. */
  readonly publicTexts?: readonly string[];
}

/** What a recording holds at the most; later bodies are cut, and later exchanges left out. */
const most = { octets: 128 * 1024 * 1024, exchanges: 100_000 };

/**
 * Keeps exchanges and writes them as one HAR file, in the order in which they were sent, when all secrets are known: one that is learnt
 * late may stand in an early answer.
 */
export function recorder({ file, protocol, baseUrl, users = [], secrets = [], publicTexts = [] }: Recording): Recorder {
  const kept: { readonly exchange: Exchange; readonly labels: Labels }[] = [];
  const later = new Map<RequestPlan, Labels>();
  const moves: OwnMove[] = [];
  const masked = mask(protocol, users, secrets, [...publicTexts, baseUrl.href]);
  let octets = 0;
  let leftOut = 0;
  return {
    note(exchange, labels = {}) {
      if (kept.length >= most.exchanges) {
        leftOut += 1;
        return;
      }
      octets += exchange.answer?.body.length ?? 0;
      masked.learn(exchange);
      kept.push({ exchange: octets > most.octets ? truncateBody(exchange) : exchange, labels });
    },
    label: (request, labels) => void later.set(request, { ...later.get(request), ...labels }),
    moved: (ms, fromMs = performance.now(), toMs = fromMs) => void moves.push({ ms, fromMs, toMs }),
    close(found = {}) {
      kept.sort((one, other) => one.exchange.sentAtMs - other.exchange.sentAtMs);
      const numbers = new Map(kept.map(({ exchange: { request } }, index) => [request, index]));
      const entries = kept.map(({ exchange, labels }) =>
        JSON.stringify(entryOf(exchange, baseUrl.origin, masked, { ...labels, ...later.get(exchange.request) })),
      );
      const shown = (_: string, value: unknown): unknown => {
        if (typeof value === 'string') return masked.sentence(value);
        const isExchange = typeof value === 'object' && value !== null && 'request' in value && 'sentAtMs' in value;
        return isExchange ? { entry: numbers.get((value as Exchange).request) } : value;
      };
      const own = JSON.stringify(
        {
          baseUrl: baseUrl.href,
          users: users.map(masked.user),
          moves,
          recorded: kept.length,
          ...(leftOut === 0 ? {} : { leftOut }),
          ...found,
        },
        shown,
      );
      const creator = JSON.stringify({ name: 'hydrauth', version: kitVersion() });
      const text = `{"log":{"version":"1.2","creator":${creator},"_hydrauth":${own},"entries":[\n${entries.join(',\n')}\n]}}\n`;
      try {
        writeWhole(file, text);
        return [];
      } catch (error) {
        return [`The recording could not be written to ${file} (${(error as NodeJS.ErrnoException).code}).`];
      }
    },
  };
}
