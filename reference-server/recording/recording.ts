import type { PartsContext } from '../parts/index.js';
import type { Store } from '../stores/index.js';
import { describer } from './describe.js';
import type { RecordedExchange } from './exchange.js';
import { type ExchangeFilter, fits } from './filter.js';
import { Ledger, watched } from './ledger.js';
import { NonceReader, type SeenNonce } from './nonces.js';
import { type Noted, Recorder } from './recorder.js';

/** What is recorded of a server, whichever faults and variants it has at the time. */
export class Recording {
  readonly ledger = new Ledger();
  readonly store: Store;
  readonly recorder: Recorder;
  readonly nonces: NonceReader;
  readonly describe: (noted: Noted) => RecordedExchange;
  readonly #nonceName: string;

  constructor(size: number, { spec, store, guard, nonce }: Pick<PartsContext, 'spec' | 'store' | 'guard' | 'nonce'>) {
    const { protocol } = spec;
    this.store = watched(store, this.ledger);
    this.recorder = new Recorder(size, this.ledger, protocol.headers.token.toLowerCase());
    this.nonces = new NonceReader(spec, store, nonce, this.ledger);
    this.#nonceName = protocol.headers.nonce.toLowerCase();
    this.describe = describer({
      protocol,
      ...guard,
      ledger: this.ledger,
      nonces: this.nonces,
      spenderOf: (number, before) =>
        this.recorder.after(0).find((each) => each.number < before && each.looked?.seen?.number === number)?.number,
    });
  }

  list(filter: ExchangeFilter = {}, limit = Number.POSITIVE_INFINITY): readonly RecordedExchange[] {
    const found: RecordedExchange[] = [];
    for (const noted of this.recorder.after(filter.after ?? 0)) {
      if (found.length >= limit) break;
      if (fits(noted, filter, this.describe)) found.push(this.describe(noted));
    }
    return found;
  }

  /** The first exchange that fits, as soon as there is one; undefined when it has not come until the signal. */
  next(filter: ExchangeFilter, until: AbortSignal): Promise<RecordedExchange | undefined> {
    let seen = filter.after ?? this.recorder.last;
    return new Promise((resolve) => {
      const look = () => {
        const found = this.recorder.after(seen).find((noted) => fits(noted, filter, this.describe));
        seen = this.recorder.last;
        if (found !== undefined || until.aborted) end(found);
      };
      const end = (found?: Noted) => {
        stop();
        until.removeEventListener('abort', look);
        resolve(found === undefined ? undefined : this.describe(found));
      };
      const stop = this.recorder.listen(look);
      until.addEventListener('abort', look);
      look();
    });
  }

  /** The nonces that were given in the exchanges that are kept, while they open. */
  async openNonces(nowMs: number): Promise<readonly SeenNonce[]> {
    const open: SeenNonce[] = [];
    for (const { answer } of this.recorder.after(0)) {
      const text = answer.headers.find(([name]) => name.toLowerCase() === this.#nonceName)?.[1];
      const { state, seen } = text === undefined ? {} : await this.nonces.state(text, nowMs);
      if (state === 'known' && seen !== undefined) open.push(seen);
    }
    return open;
  }

  clear(): void {
    this.ledger.clear();
    this.recorder.clear();
  }
}
