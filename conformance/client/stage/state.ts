/** Where a client can be sent. */
export type Place = 'first' | 'second' | 'odd' | 'vocabulary' | 'missing' | 'elsewhere';

/** The addresses of one scenario. */
export interface Site {
  /** The base URL. */
  readonly url: string;
  readonly places: Readonly<Record<Place, string>>;
}

/** The state of the service in a scenario: data. Without anything it is the reference server. */
export interface ServiceState {
  /** Ids of variants of the reference server. */
  readonly variants?: readonly string[];
  /** The collections have the names that variants know, not random ones. */
  readonly usualCollections?: true;
  /** The paraphrase of the user, where it is not a random word. */
  readonly paraphrase?: string;
  /** The client is told another paraphrase than the service knows. */
  readonly wrongParaphrase?: true;
  /** The tokens end when so many requests were served. */
  readonly expireAfterServed?: readonly number[];
  /** Requests that the service does not answer by itself. */
  readonly replies?: Reply;
  /** How its answers are written. */
  readonly written?: Writing;
  /** What the second origin does. Default: it serves everybody. */
  readonly elsewhere?: 'challenges';
  /** After so many requests no more are answered. */
  readonly requestLimit?: number;
}

/** What is answered in place of the service. */
export interface Reply {
  /** What such a request brings: a token, a login, or neither. */
  readonly to: 'token' | 'login' | 'neither';
  /** Where it goes; anywhere when not given. */
  readonly at?: Place;
  /** Another status, with the place that a redirect leads to; or what the service says to a request without the token. */
  readonly gives: { readonly status: number; readonly location?: Place } | 'answer to a stranger';
}

/** The same answers, written otherwise. */
export type Writing =
  | 'names in capitals'
  | 'blanks around nonce and token'
  | 'challenge without body'
  | 'challenge as page'
  | 'unknown members'
  | 'newer tokens';
