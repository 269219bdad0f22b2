import { type BodyReader, ChunkedBody, LengthBody, Octets, OpenBody } from './body.js';
import type { Answer, WireProblem } from './exchange.js';
import { quoted, WireFault } from './fault.js';
import { type Framing, frame } from './framing.js';
import { type Head, headEnd, parseHead } from './head.js';

/** More is no answer of the three steps, and reading on would only cost memory. */
const maxHeaderBytes = 32 * 1024;
const maxBodyBytes = 5 * 1024 * 1024;

/** A run remembers thousands of answers, and each line costs more than its octets. */
const maxHeaderLines = 256;
const maxInterimAnswers = 20;
const opening = Buffer.from('HTTP/');
const nothing: Buffer = Buffer.alloc(0);

/** Reads one answer out of the octets of a connection, whatever they are. */
export class AnswerReader {
  /** An octet of an answer has come. */
  started = false;
  /** Nothing more is to be read. */
  settled = false;
  problem: WireProblem | undefined;
  /** The target had not closed the connection when reading ended. */
  leftOpen = false;
  private pending = nothing;
  private searched = 0;
  private interimAnswers = 0;
  private head: Head | undefined;
  private framing: Framing | undefined;
  private body: BodyReader | undefined;
  private surplus = 0;
  private readonly octets = new Octets(maxBodyBytes);

  constructor(
    private readonly method: string,
    /** Reads the answer that comes after this one on the same connection. */
    private readonly next?: AnswerReader,
  ) {}

  /** What was understood of the answer so far. */
  get answer(): Answer | undefined {
    if (this.head === undefined) return undefined;
    return { ...this.head, body: this.octets.whole(), ...(this.leftOpen && this.head.status === 101 ? { staysOpen: true } : {}) };
  }

  get reusable(): boolean {
    return this.settled && this.problem === undefined && this.framing?.reusable === true;
  }

  /** The header does not tell where the body ends. */
  get doubtful(): boolean {
    return this.framing?.doubtful === true;
  }

  /** Octets still missing by Content-Length; undefined where it does not count. */
  get missing(): string | undefined {
    if (this.framing?.kind !== 'length' || this.settled) return undefined;
    return `Content-Length says ${this.framing.length} octets, but only ${this.octets.size} came`;
  }

  push(chunk: Buffer): void {
    this.started = true;
    this.guard(() => (this.settled ? this.overrun(chunk) : this.read(chunk)));
  }

  /** The target has closed its side. */
  end(): void {
    if (this.settled) return;
    this.guard(() => {
      if (this.body === undefined) {
        throw new WireFault(
          'closed',
          this.started ? 'The connection ended in the middle of the header.' : 'The target closed the connection without an answer.',
        );
      }
      this.body.end();
      this.settled = true;
    });
  }

  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof WireFault)) throw error;
      this.problem ??= error.problem;
      this.settled = true;
    }
  }

  private read(chunk: Buffer): void {
    let rest = chunk;
    while (this.body === undefined) {
      const after = this.readHead(rest);
      if (after === undefined) return;
      rest = after;
    }
    const used = this.body.push(rest);
    if (this.body.done) this.settled = true;
    if (used < rest.length) this.overrun(rest.subarray(used));
  }

  private readHead(chunk: Buffer): Buffer | undefined {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    const seen = Math.min(this.pending.length, opening.length);
    if (this.pending.compare(opening, 0, seen, 0, seen) !== 0) {
      throw new WireFault('malformed', `The answer is not HTTP/1: it begins with ${quoted(this.pending.toString('latin1'))}.`);
    }
    const end = headEnd(this.pending, this.searched);
    if ((end < 0 ? this.pending.length : end) > maxHeaderBytes) {
      throw new WireFault('too-large', `The header is longer than ${maxHeaderBytes} octets; reading stopped there.`);
    }
    this.searched = this.pending.length;
    if (end < 0) return undefined;
    const head = parseHead(this.pending.toString('latin1', 0, end));
    if (head.headers.length > maxHeaderLines) {
      throw new WireFault('too-large', `The header has more than ${maxHeaderLines} lines; reading stopped there.`);
    }
    const rest = this.pending.subarray(end);
    this.pending = nothing;
    this.searched = 0;
    if (head.status >= 100 && head.status < 200 && head.status !== 101) {
      this.interimAnswers += 1;
      if (this.interimAnswers > maxInterimAnswers) {
        throw new WireFault('malformed', `More than ${maxInterimAnswers} interim answers (1xx) came before a final one.`);
      }
      return rest.length === 0 ? undefined : rest;
    }
    this.begin(head);
    return rest;
  }

  private begin(head: Head): void {
    this.head = head;
    this.framing = frame(head, this.method);
    this.problem = this.framing.problem;
    const { kind, length } = this.framing;
    if (kind === 'chunked') this.body = new ChunkedBody(this.octets, maxHeaderBytes);
    else if (kind === 'until-close') this.body = new OpenBody(this.octets);
    else this.body = new LengthBody(this.octets, length);
  }

  private overrun(octets: Buffer): void {
    if (this.problem !== undefined && this.surplus === 0) return;
    if (this.next !== undefined) {
      this.next.push(octets);
      return;
    }
    this.surplus += octets.length;
    const end = this.framing?.kind === 'length' ? `the ${this.framing.length} octets that Content-Length says` : 'the end of the answer';
    const more = `${this.surplus} ${this.surplus === 1 ? 'octet' : 'octets'}`;
    const message = this.method === 'HEAD' ? `A body came behind the answer to HEAD: ${more}.` : `${more} more came after ${end}.`;
    this.problem = { code: 'length', message };
  }
}
