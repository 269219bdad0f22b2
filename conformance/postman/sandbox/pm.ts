interface Variables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

/** The part of Postman's `pm` that the scripts of the collection use. */
export interface Pm {
  readonly variables: Variables;
  readonly collectionVariables: Variables;
  readonly request: {
    readonly method: string;
    readonly url: { toString(): string };
    readonly headers: { get(name: string): string | undefined };
  };
  /** Absent before the request; without a code when no answer came. */
  readonly response?: {
    readonly code?: number;
    readonly headers: { all(): readonly { readonly key: string; readonly value: unknown }[] };
    readonly stream?: Uint8Array;
  };
  readonly execution: { skipRequest(): void };
  readonly test: { (name: string, run: () => void): void; skip(name: string): void };
}
