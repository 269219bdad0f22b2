import { allow, type OptionChecks } from '../../spec/index.js';
import { type RecordedExchange, type Step, steps } from './exchange.js';
import type { Noted } from './recorder.js';

/** Which exchanges are meant: those that fit all that is given. */
export interface ExchangeFilter {
  /** Only those with a larger number. */
  readonly after?: number;
  readonly method?: string;
  /** As it was sent, without the query; an asterisk at the end stands for anything. */
  readonly path?: string;
  readonly status?: number;
  readonly step?: Step;
}

export const pathCheck = allow.text('a path such as /api/books or /api/*', /^\/[^?#]*$/);
export const methodCheck = allow.text('a method such as GET', /^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/);

export const filterChecks: OptionChecks<ExchangeFilter> = {
  after: allow.whole(0, Number.MAX_SAFE_INTEGER),
  method: methodCheck,
  path: pathCheck,
  status: allow.whole(100, 999),
  step: allow.oneOf(...steps),
};

/** The step is known only of an exchange that is described, and that is looked at last. */
export function fits(noted: Noted, filter: ExchangeFilter, describe: (noted: Noted) => RecordedExchange): boolean {
  const { method, path, status, step } = filter;
  if (method !== undefined && noted.method !== method.toUpperCase()) return false;
  if (path !== undefined && !isAtPath(noted.target, path)) return false;
  if (status !== undefined && noted.answer.status !== status) return false;
  return step === undefined || describe(noted).step === step;
}

export function isAtPath(target: string, path: string): boolean {
  const sent = target.split('?', 1)[0] as string;
  return path.endsWith('*') ? sent.startsWith(path.slice(0, -1)) : sent === path;
}
