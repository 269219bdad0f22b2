import type { MaybePromise } from '../parts/index.js';
import type { Recording } from '../recording/index.js';
import type { Steering } from '../running-server.js';
import type { Call } from './call.js';

/** What the routes work on. */
export interface Controlled {
  readonly server: Steering;
  readonly recording: Recording;
  /** Tells those who watch that something changed which no exchange tells of. */
  changed(): void;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** By method and path, with names in braces. */
export type Routes = Readonly<Record<string, (call: Call, controlled: Controlled) => MaybePromise<Reply>>>;

/** 200 with a body, 204 without one. */
export function reply(body?: unknown): Reply {
  return body === undefined ? { status: 204 } : { status: 200, body };
}
