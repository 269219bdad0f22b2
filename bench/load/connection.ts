import { connect, type Socket } from 'node:net';

/** A keep-alive connection with one request under way at a time; reads no more of an answer than its status, length and one header. */
export class LoadConnection {
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
