import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import type { User } from '../options.js';
import { writeWhole } from '../report/index.js';
import { kitVersion } from '../version.js';
import { type Exchange, headerValues, type RequestPlan } from '../wire/index.js';
import { entryOf, mostLookedAt } from './entry.js';
import { digestOf, type OwnRecording } from './har.js';
import { mask } from './masked.js';

type Labels = Readonly<Record<string, unknown>>;

export type Recorder = ReturnType<typeof recorder>;

interface Recording {
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
  readonly nowMs?: () => number;
}

/** What a recording holds at the most, of bodies of answers, of all else, and as it is written, and how long secrets are looked for in it; later ones are left out. */
const most = { octets: 16 * 1024 * 1024, others: 32 * 1024 * 1024, written: 64 * 1024 * 1024, exchanges: 100_000, maskingMs: 60_000 };

/** What a header line, or a cookie in one, takes beside its text. */
const lineOctets = 72;

/** What a message takes beside its body, with the secrets that are learnt from it. */
export function weightOf({ target = '', headers }: Pick<Exchange['request'], 'headers'> & { readonly target?: string }): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + value.split(';').length * lineOctets, target.length);
}

/**
 * Keeps exchanges and writes them as one HAR file, in the order in which they were sent, when all secrets are known: one that is learnt
 * late may stand in an early answer.
 */
export function recorder({
  file,
  protocol,
  baseUrl,
  users = [],
  secrets = [],
  publicTexts = [],
  nowMs = () => performance.now(),
}: Recording) {
  const kept: { readonly exchange: Exchange; readonly labels: Labels }[] = [];
  const later = new Map<RequestPlan, Labels>();
  const moves: OwnRecording['moves'][number][] = [];
  const masked = mask(protocol, users, secrets, [...publicTexts, baseUrl.href]);
  let [octets, others] = [0, 0];
  let leftOut = 0;
  return {
    /** An exchange that is over, in whatever order they end. */
    note(exchange: Exchange, labels: Labels = {}): void {
      if (kept.length >= most.exchanges || others > most.others) {
        leftOut += 1;
        return;
      }
      masked.learn(exchange);
      const isPacked = exchange.answer !== undefined && headerValues(exchange.answer, 'content-encoding').length > 0;
      const light = truncateBody(exchange, octets > most.octets ? 0 : isPacked ? Number.POSITIVE_INFINITY : mostLookedAt);
      octets += light.answer?.body.length ?? 0;
      others += weightOf(light.request) + (light.request.body?.length ?? 0) + weightOf(light.answer ?? { headers: [] });
      kept.push({ exchange: light, labels });
    },
    /** What is known of a request only later. */
    label: (request: RequestPlan, labels: Labels) => void later.set(request, { ...later.get(request), ...labels }),
    /** The clock of the service was moved between these two instants of `performance.now()`. */
    moved: (ms: number, fromMs = performance.now(), toMs = fromMs) => void moves.push({ ms, fromMs, toMs }),
    /** Writes the file. `found` goes with it: exchanges in it become the numbers of their entries. Says why where it cannot be written. */
    close(found: Labels = {}): string[] {
      kept.sort((one, other) => one.exchange.sentAtMs - other.exchange.sentAtMs);
      const numbers = new Map<RequestPlan, number>();
      const entries: Buffer[] = [];
      const endMs = nowMs() + most.maskingMs;
      // Bodies stand in it unpacked, and what is escaped takes up to six times as much.
      let [unpacked, written] = [0, 0];
      for (const { exchange, labels } of kept) {
        if (nowMs() > endMs || written > most.written) break;
        numbers.set(exchange.request, entries.length);
        const light = truncateBody(exchange, unpacked > most.octets ? 0 : Number.POSITIVE_INFINITY);
        const entry = entryOf(light, baseUrl.origin, masked, { ...labels, ...later.get(exchange.request) });
        const text = Buffer.from(JSON.stringify(entry));
        entries.push(text);
        unpacked += entry.response?.content?.size ?? 0;
        written += text.length;
      }
      leftOut += kept.length - entries.length;
      const isExchange = (value: unknown): value is Exchange =>
        typeof value === 'object' && value !== null && 'request' in value && 'sentAtMs' in value;
      const shown = (_: string, value: unknown): unknown => {
        if (typeof value === 'string') return masked.sentence(value);
        // What was left out stands in no chain.
        if (Array.isArray(value)) return value.filter((each) => !isExchange(each) || numbers.has(each.request));
        return isExchange(value) ? { entry: numbers.get(value.request) } : value;
      };
      const own = JSON.parse(
        JSON.stringify(
          { baseUrl: baseUrl.href, users: users.map(masked.user), moves, ...(leftOut === 0 ? {} : { leftOut }), ...found },
          shown,
        ),
      );
      const digest = digestOf(own, entries, (entry) => entry);
      const log = { version: '1.2', creator: { name: 'hydrauth', version: kitVersion() }, _hydrauth: { ...own, digest } };
      const begin = Buffer.from(`{"log":${JSON.stringify(log).slice(0, -1)},"entries":[\n`);
      const [comma, end] = [Buffer.from(',\n'), Buffer.from('\n]}}\n')];
      try {
        writeWhole(file, Buffer.concat([begin, ...entries.flatMap((entry, at) => (at === 0 ? entry : [comma, entry])), end]), 0o600);
        return [];
      } catch (error) {
        return [`The recording could not be written to ${file} (${(error as NodeJS.ErrnoException).code}).`];
      }
    },
  };
}
