import type { Spec } from '../spec/index.js';
import type { Answer, HeaderLine, Incoming } from './parts/index.js';

/** One exchange as the server saw it, without secrets. */
export interface RecordedExchange {
  /** On the server's clock. */
  readonly atMs: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly status: number;
  readonly answerHeaders: readonly HeaderLine[];
  readonly body: string;
}

export const redacted = '[redacted]';

/** Keeps the last exchanges, without their secrets. */
export class Recorder {
  readonly #entries: RecordedExchange[] = [];
  readonly #secret: ReadonlySet<string>;
  #next = 0;

  constructor(
    spec: Spec,
    readonly last: number,
  ) {
    const { authorization, token } = spec.protocol.headers;
    this.#secret = new Set([authorization.toLowerCase(), token.toLowerCase(), 'cookie', 'proxy-authorization']);
  }

  note({ method, target, rawHeaders }: Incoming, answer: Answer, atMs: number): void {
    if (this.last === 0) return;
    this.#entries[this.#next] = {
      atMs,
      method,
      target,
      headers: this.#redact(pairs(rawHeaders)),
      status: answer.status,
      answerHeaders: this.#redact(answer.headers),
      body: answer.body.toString('utf8'),
    };
    this.#next = (this.#next + 1) % this.last;
  }

  clear(): void {
    this.#entries.length = 0;
    this.#next = 0;
  }

  /** In the order in which they came. */
  read(): readonly RecordedExchange[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
  }

  #redact(lines: readonly HeaderLine[]): readonly HeaderLine[] {
    return lines.map(([name, value]): HeaderLine => [name, this.#secret.has(name.toLowerCase()) ? redacted : value]);
  }
}

function pairs(raw: readonly string[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) lines.push([raw[index] as string, raw[index + 1] as string]);
  return lines;
}
