import { connect, type Socket } from 'node:net';
import { answerWith, tell } from '../children.js';

/** What the load generator is to do. */
export interface Job {
  readonly port: number;
  /** Request line and header lines, each with its line end, without the empty line. */
  readonly head: string;
  /** How many requests, unless each has a nonce. */
  readonly count?: number;
  /** The status that every answer must have. */
  readonly status: string;
  /** The header whose values are to be brought home. */
  readonly collect?: string;
  /** One for each request, sent under this header. */
  readonly nonces?: { readonly header: string; readonly values: readonly string[] };
}

export interface Burst {
  readonly requests: number;
  readonly seconds: number;
  readonly collected: readonly string[];
}

/** A keep-alive connection with one request under way at a time; reads no more of an answer than its status, length and one header. */
class LoadConnection {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #done: ((head: string) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#received(chunk));
    this.#socket.on('error', (error) => this.#failed?.(error));
    this.#socket.on('close', () => this.#failed?.(new Error('the server closed the connection')));
  }

  /** Sends a request and gives the head of its answer, once the body is there. */
  send(octets: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#failed = reject;
      this.#socket.write(octets);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #received(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const end = this.#pending.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#pending.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#pending.length < end + 4 + length) return;
    this.#pending = this.#pending.subarray(end + 4 + length);
    this.#done?.(head);
  }
}

const connections = 32;

/** Sends requests from a process of its own, so that the server is what is measured. */
async function work({ port, head, count = 0, status, collect, nonces }: Job): Promise<Burst> {
  const octets = Buffer.from(`${head}\r\n`, 'latin1');
  const collected: string[] = [];
  const pattern = collect === undefined ? undefined : new RegExp(`\\r\\n${collect}: *([^\\r]*)`, 'i');
  const requests = nonces?.values.length ?? count;
  const lines = Array.from({ length: connections }, () => new LoadConnection(port));
  const startMs = performance.now();
  let sent = 0;
  const loop = async (line: LoadConnection) => {
    while (sent < requests) {
      const at = sent++;
      const request = nonces === undefined ? octets : Buffer.from(`${head}${nonces.header}: ${nonces.values[at]}\r\n\r\n`, 'latin1');
      const answer = await line.send(request);
      if (!answer.startsWith(status, 9)) throw new Error(`expected ${status}, got ${answer.split('\r\n')[0]}`);
      if (pattern !== undefined) collected.push(pattern.exec(answer)?.[1] ?? '');
    }
  };
  await Promise.all(lines.map(loop));
  const seconds = (performance.now() - startMs) / 1000;
  for (const line of lines) line.close();
  return { requests, seconds, collected };
}

answerWith(work);
tell({});
