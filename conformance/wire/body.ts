import { quoted, WireFault } from './fault.js';

/** Of a body beyond the limit this much is kept, to be shown: a run remembers many answers. */
const keptOfTooMuch = 16 * 1024;

const nothing = Buffer.alloc(0);

/** Most answers of a run have one of a few bodies: those that came last are kept, and what equals one of them is that one. */
const recent: Buffer[] = [];
const mostRecent = 16;
const commonOctets = 4096;

/** A copy that holds on to nothing else that came with it, and is shared by all who get the same. Nobody writes into a body. */
function once(body: Buffer): Buffer {
  for (const each of recent) if (each.length === body.length && each.equals(body)) return each;
  const copy = Buffer.from(body);
  recent.unshift(copy);
  if (recent.length > mostRecent) recent.pop();
  return copy;
}

const mostPieces = 1024;

/** Octets that come in pieces. Each holds on to what it came with, so that many small ones are joined at times. */
export class Pieces {
  private joined: Buffer[] = [];
  private latest: Buffer[] = [];

  push(piece: Buffer): void {
    if (piece.length === 0 || this.latest.push(piece) < mostPieces) return;
    this.joined.push(Buffer.concat(this.latest));
    this.latest = [];
  }

  whole(): Buffer {
    const all = [...this.joined, ...this.latest];
    [this.joined, this.latest] = [all.length > 1 ? [Buffer.concat(all)] : all, []];
    return this.joined[0] ?? nothing;
  }
}

/** Takes the octets of a body as they come, up to a limit. */
export class Octets {
  private pieces = new Pieces();
  size = 0;

  constructor(private readonly limit: number) {}

  push(part: Buffer): void {
    const room = this.limit - this.size;
    if (part.length > room) {
      this.keep(part.subarray(0, room));
      const kept = Buffer.from(this.pieces.whole().subarray(0, keptOfTooMuch));
      this.pieces = new Pieces();
      this.pieces.push(kept);
      throw new WireFault('too-large', `The body is longer than ${this.limit} octets; reading stopped there.`);
    }
    this.keep(part);
  }

  whole(): Buffer {
    const body = this.pieces.whole();
    return body === nothing || body.length > commonOctets ? body : once(body);
  }

  private keep(part: Buffer): void {
    this.pieces.push(part);
    this.size += part.length;
  }
}

/** Reads one body; `push` says how many octets belonged to it. */
export interface BodyReader {
  readonly done: boolean;
  push(octets: Buffer): number;
  /** The target closed the connection: a fault unless that is how this body ends. */
  end(): void;
}

export class LengthBody implements BodyReader {
  constructor(
    private readonly into: Octets,
    private readonly length: number,
  ) {}

  get done(): boolean {
    return this.into.size === this.length;
  }

  push(octets: Buffer): number {
    const part = octets.subarray(0, this.length - this.into.size);
    this.into.push(part);
    return part.length;
  }

  end(): void {
    throw new WireFault('length', `Content-Length says ${this.length} octets, but the connection ended after ${this.into.size}.`);
  }
}

export class OpenBody implements BodyReader {
  readonly done = false;

  constructor(private readonly into: Octets) {}

  push(octets: Buffer): number {
    this.into.push(octets);
    return octets.length;
  }

  end(): void {}
}

const longestLine = 4096;

/** RFC 9112, section 7.1. Trailer fields are read over. */
export class ChunkedBody implements BodyReader {
  private state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' = 'size';
  private line = '';
  private left = 0;
  private trailerOctets = 0;

  constructor(
    private readonly into: Octets,
    private readonly maxTrailerOctets: number,
  ) {}

  get done(): boolean {
    return this.state === 'done';
  }

  push(octets: Buffer): number {
    let at = 0;
    while (at < octets.length && this.state !== 'done') {
      if (this.state === 'data') {
        const part = octets.subarray(at, at + this.left);
        this.into.push(part);
        this.left -= part.length;
        at += part.length;
        if (this.left === 0) this.state = 'data-end';
      } else {
        at = this.takeLine(octets, at);
      }
    }
    return at;
  }

  end(): void {
    throw new WireFault('closed', 'The connection ended in the middle of a chunked body.');
  }

  private takeLine(octets: Buffer, at: number): number {
    const newline = octets.indexOf(10, at);
    const end = newline < 0 ? octets.length : newline;
    this.line += octets.toString('latin1', at, Math.min(end, at + longestLine + 1));
    if (this.line.length > longestLine) throw new WireFault('malformed', 'The chunked body has an endless line.');
    if (newline < 0) return end;
    const line = this.line.endsWith('\r') ? this.line.slice(0, -1) : this.line;
    this.line = '';
    this.lineRead(line);
    return newline + 1;
  }

  private lineRead(line: string): void {
    if (this.state === 'size') {
      const size = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;.*)?$/.exec(line);
      if (size === null) throw new WireFault('malformed', `The chunked body is broken: ${quoted(line)} is no chunk size.`);
      this.left = Number.parseInt(size[1] as string, 16);
      this.state = this.left === 0 ? 'trailer' : 'data';
    } else if (this.state === 'data-end') {
      if (line !== '') throw new WireFault('malformed', 'The chunked body is broken: a chunk is longer than its size.');
      this.state = 'size';
    } else if (line === '') {
      this.state = 'done';
    } else {
      this.trailerOctets += line.length;
      if (this.trailerOctets > this.maxTrailerOctets) throw new WireFault('too-large', 'The trailer of the chunked body does not end.');
    }
  }
}
