import type { IncomingMessage } from 'node:http';
import { allow, checkOptions, type OptionCheck, type OptionChecks, OptionError } from '../../spec/index.js';
import type { Use } from '../contract.js';
import type { Settings } from '../options.js';
import { type BroughtBy, broughtStates, isAtPath, methodCheck, pathCheck } from '../recording/index.js';

export const integer: OptionCheck = ['an integer', Number.isSafeInteger];

export const useChecks: OptionChecks<Use> = {
  next: allow.whole(1, Number.MAX_SAFE_INTEGER),
  method: methodCheck,
  path: pathCheck,
  state: ['one of '.concat(Object.keys(broughtStates).join(', ')), (value) => Object.hasOwn(broughtStates, String(value))],
  step: allow.oneOf('A', 'B', 'C'),
  user: integer,
};

/** Throws for what is not allowed, and for what would never match, such as a path that only leaves out the base path. */
export type CheckUse = <U extends Use>(use: U, checks: OptionChecks<U>) => void;

export function useChecker({ basePath, collections, spec }: Settings, ids: ReadonlySet<number>): CheckUse {
  const names = new Set([spec.protocol.link.path.slice(1), ...collections, ...collections.map(encodeURIComponent)]);
  return (use, checks) => {
    checkOptions(use, checks);
    const { path, step, state, user } = use;
    const isBelow = path === basePath || path?.startsWith(`${basePath}/`);
    if (!isBelow && names.has(/^\/([^/*]*)/.exec(path ?? '')?.[1] ?? '')) {
      const whole = `the whole path is needed, such as ${basePath}${path}`;
      throw new OptionError('path', `${JSON.stringify(path)} is not below the base path; ${whole}`);
    }
    if (user !== undefined && !ids.has(user))
      throw new OptionError('user', `there is no user ${user}; there are ${[...ids].join(', ') || 'none'}`);
    if (step !== undefined && state !== undefined && broughtStates[state] !== step)
      throw new OptionError('step', `${step} is not allowed beside the state ${state}; ${broughtStates[state]} is`);
  };
}

export function isMeant({ method, path, step, state, user }: Use, req: IncomingMessage, broughtBy: BroughtBy): boolean {
  if (method !== undefined && req.method !== method.toUpperCase()) return false;
  if (path !== undefined && !isAtPath(req.url ?? '', path)) return false;
  if (step === undefined && state === undefined && user === undefined) return true;
  const brought = broughtBy(req);
  if (step !== undefined && broughtStates[brought.state] !== step) return false;
  return (state === undefined || brought.state === state) && (user === undefined || brought.user === user);
}
