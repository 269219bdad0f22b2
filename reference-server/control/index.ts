import type { Spec } from '../../spec/index.js';
import type { Recording } from '../recording/index.js';
import type { Steering } from '../running-server.js';
import { type Control, listen } from './listener.js';
import { makePage } from './page/index.js';

export type { Control } from './listener.js';

/** Opens the control of a server on a listener of its own, on loopback. Test control, and no part of the protocol. */
export function startControl(
  server: Steering,
  recording: Recording,
  { spec, url, page }: { readonly spec: Spec; readonly url: string; readonly page: boolean },
): Promise<Control> {
  return listen({ server, recording }, page ? makePage({ spec, url, collections: server.collections }) : undefined);
}
