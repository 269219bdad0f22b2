interface Waiting {
  readonly untilMs: number;
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets several tries share one clock that is moved. It moves when every one of them waits for it, and then to the nearest instant that
 * one waits for: each finds the clock moved by exactly what it asked for. All of them are begun in the same moment.
 */
export class SharedClock {
  readonly #waiting = new Set<Waiting>();
  #nowMs = 0;
  #taking = 0;

  constructor(private readonly move: (ms: number) => Promise<void>) {}

  async take<T>(work: (advance: (ms: number) => Promise<void>) => Promise<T>): Promise<T> {
    this.#taking += 1;
    try {
      // Those that are begun in the same moment are counted before the first of them can wait.
      await Promise.resolve();
      return await work((ms) => this.#wait(ms));
    } finally {
      this.#taking -= 1;
      void this.#moveOn();
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((go, fail) => {
      this.#waiting.add({ untilMs: this.#nowMs + ms, go, fail });
      void this.#moveOn();
    });
  }

  async #moveOn(): Promise<void> {
    if (this.#waiting.size === 0 || this.#waiting.size < this.#taking) return;
    const nextMs = Math.min(...[...this.#waiting].map(({ untilMs }) => untilMs));
    const due = [...this.#waiting].filter(({ untilMs }) => untilMs === nextMs);
    try {
      await this.move(nextMs - this.#nowMs);
      this.#nowMs = nextMs;
      for (const each of due) each.go();
    } catch (error) {
      for (const each of due) each.fail(error);
    } finally {
      for (const each of due) this.#waiting.delete(each);
    }
  }
}
