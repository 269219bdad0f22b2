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

interface Entry {
  readonly atMs: number;
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly answer: Answer;
}

export const redacted = '[redacted]';

/** Keeps the last exchanges; secrets are taken out whenever they are read. */
export class Recorder {
  readonly #entries: Entry[] = [];
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
    this.#entries[this.#next] = { atMs, method, target, rawHeaders, answer };
    this.#next = (this.#next + 1) % this.last;
  }

  clear(): void {
    this.#entries.length = 0;
    this.#next = 0;
  }

  /** In the order in which they came. */
  read(): readonly RecordedExchange[] {
    const inOrder = [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
    return inOrder.map(({ atMs, method, target, rawHeaders, answer }) => ({
      atMs,
      method,
      target,
      headers: this.#redact(pairs(rawHeaders)),
      status: answer.status,
      answerHeaders: this.#redact(answer.headers),
      body: answer.body.toString('utf8'),
    }));
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
