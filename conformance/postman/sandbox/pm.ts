interface Variables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

/** The part of Postman's `pm` that the scripts of the collection use. */
export interface Pm {
  readonly variables: Variables;
  readonly collectionVariables: Variables;
  readonly request: { method: string; url: { toString(): string }; headers: { get(name: string): string | undefined } };
  /** Absent before the request; without a code when no answer came. */
  readonly response?: { code?: number; headers: { all(): readonly { key: string; value: unknown }[] }; stream?: Uint8Array };
  readonly execution: { skipRequest(): void };
  readonly test: { (name: string, run: () => void): void; skip(name: string): void };
}

/** What requests of the collection keep for later ones, in variables of the collection. Unset and empty are the same. */
export interface Memory {
  get(name: string): string;
  set(name: string, value: string | undefined): void;
}
