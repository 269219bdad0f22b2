import type { ReadRequest } from '../contract.js';
import type { Place, ServiceState, Site } from '../stage/index.js';
import type { Act, LoggedRequest, Secret } from '../traffic/index.js';

/** One thing that the client is asked to do: a request, or several at once. */
type Step = Ask | { readonly parallel: readonly Ask[] };

export interface Ask extends Omit<ReadRequest, 'url'> {
  readonly at: Place;
}

/** What a scenario showed. */
export interface Seen {
  readonly site: Site;
  /** The requests at the service. */
  readonly acts: readonly Act[];
  /** The requests at the second origin. */
  readonly elsewhere: readonly LoggedRequest[];
  readonly secrets: readonly Secret[];
  /** Every request of the scenario that goes to the service was served. */
  readonly completed: boolean;
  /** The client sent more requests than anybody needs, and was stopped. */
  readonly overrun: boolean;
  /** What the client said in the end; unknown of one that says failure whatever happens. */
  readonly said: 'success' | 'failure' | 'unknown';
}

/** What a scenario says of one row. A failure that may follow from another is not told where that one was seen in the same scenario. */
export type Opinion =
  | { readonly outcome: 'pass'; readonly restsOn: string }
  | { readonly outcome: 'untested'; readonly because: string }
  | {
      readonly outcome: 'fail';
      readonly expected: string;
      readonly actual: string;
      readonly at?: LoggedRequest;
      readonly mayFollow?: true;
    };

export type Judge = (seen: Seen) => Opinion;

/** A state of the service, what the client is asked, and what must be seen. */
export interface Scenario {
  readonly id: string;
  /** What is given, as a sentence. */
  readonly given: string;
  readonly service: ServiceState;
  readonly steps: readonly Step[];
  /** The rows that it judges by itself. */
  readonly judges: Readonly<Record<string, Judge>>;
  /** Rows that are judged on all traffic and that this scenario is made to exercise. */
  readonly exercises?: readonly string[];
  /** The row that tells wrong credentials here, in place of client.credentials. */
  readonly credentialsRow?: string;
  /** Rows judged on all traffic that this scenario makes no sense for. */
  readonly leavesOut?: readonly string[];
  /** Rows without which it shows nothing: where one of them fails, what it judges itself is untested. */
  readonly buildsOn?: readonly string[];
  /** Answers to open questions, by row; undefined where it does not show. */
  readonly observes?: Readonly<Record<string, (seen: Seen) => string | undefined>>;
}
