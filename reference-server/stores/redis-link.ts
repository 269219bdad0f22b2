import { StoreUnavailable } from '../errors.js';

export type Client = Awaited<ReturnType<typeof clientOf>>;

const answerWithinMs = 2000;
const queuedCommands = 10_000;
const longestPauseMs = 1000;

/** A connection that comes back by itself. Until it is there and `synchronise` has run over it, everything is unavailable. */
export class RedisLink {
  readonly #url: string;
  readonly #where: string;
  readonly #synchronise: (client: Client) => Promise<void>;
  #client: Client | undefined;
  #opened = false;
  #ready = false;

  constructor(url: string, synchronise: (client: Client) => Promise<void>) {
    this.#url = url;
    this.#where = new URL(url).host;
    this.#synchronise = synchronise;
  }

  async open(): Promise<void> {
    try {
      const client = await clientOf(this.#url, () => this.#opened);
      this.#client = client;
      client.on('error', () => this.#lost());
      client.on('reconnecting', () => this.#lost());
      client.on('ready', () => void this.#back(client));
      await client.connect();
      await this.#synchronise(client);
    } catch (error) {
      await this.close();
      throw new StoreUnavailable(
        `the store at ${this.#where} cannot be ${error instanceof StoreUnavailable ? 'used' : 'reached'}: ${reason(error)}`,
      );
    }
    this.#opened = true;
    this.#ready = true;
  }

  async close(): Promise<void> {
    this.#opened = false;
    this.#ready = false;
    if (this.#client?.isOpen) this.#client.destroy();
  }

  /** Throws unless the store can be asked now. */
  assertReady(): Client {
    if (this.#ready && this.#client !== undefined) return this.#client;
    throw new StoreUnavailable(`the store at ${this.#where} is not reachable`);
  }

  async ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    const client = this.assertReady();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${answerWithinMs} ms`)), answerWithinMs);
    });
    try {
      return await Promise.race([command(client), late]);
    } catch (error) {
      throw new StoreUnavailable(`the store at ${this.#where} failed: ${reason(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }

  #lost(): void {
    this.#ready = false;
  }

  async #back(client: Client): Promise<void> {
    if (!this.#opened) return;
    try {
      await this.#synchronise(client);
      this.#ready = this.#opened;
    } catch {
      // The connection was lost again or the server is still loading; try until it stays.
      if (this.#opened) setTimeout(() => client.isReady && void this.#back(client), longestPauseMs).unref();
    }
  }
}

/** The package is large and is loaded only where it is used. */
async function clientOf(url: string, opened: () => boolean) {
  const { createClient } = await import('redis');
  return createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: queuedCommands,
    socket: { reconnectStrategy: (retries, cause) => (opened() ? Math.min(25 * 2 ** Math.min(retries, 10), longestPauseMs) : cause) },
  });
}

function reason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
