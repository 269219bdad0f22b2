import { allow, checkOptions, loadSpec, type OptionChecks, OptionError, spec as ownSpec, type Spec } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import type { Budget, RunOptions, User } from '../options.js';
import { baselineOf, selectors } from '../report/index.js';

import { collectionsOf } from './collection-names.js';
import { type ConformanceOptions, defaults } from './conformance-options.js';
import { givenHeaders } from './given-headers.js';
import { enginesOf } from './postman.js';

const texts = allow.listOf('a list of texts', allow.text('a text'));

const checks: OptionChecks<ConformanceOptions> = {
  baseUrl: allow.anything,
  collections: texts,
  users: allow.listOf('a list of users', allow.anything),
  auth: allow.oneOf('on', 'off'),
  engine: allow.oneOf('all', 'laws', 'postman'),
  clock: allow.text('none, wait, an http(s) URL, faketime:FILE or exec:COMMAND'),
  only: texts,
  skip: texts,
  runs: allow.whole(1, 1_000_000),
  strength: allow.whole(2, 3),
  seed: allow.whole(-(2 ** 31), 2 ** 31 - 1),
  timeoutMs: allow.whole(1, 3_600_000),
  concurrency: allow.whole(1, 1000),
  rate: allow.whole(1, 100_000),
  budget: allow.anything,
  toleranceMs: allow.whole(0, 600_000),
  headers: texts,
  ca: allow.text('a file'),
  insecure: allow.trueOrFalse,
  baseline: allow.anything,
  strict: allow.trueOrFalse,
  spec: allow.anything,
  replay: allow.anything,
  signal: allow.anything,
  onProgress: allow.anything,
};

export function validateOptions(options: ConformanceOptions): RunOptions {
  if (typeof options !== 'object' || options === null)
    throw new OptionError('options', 'an object with baseUrl, collections and users is expected');
  checkOptions(options, checks);
  const spec = specOf(options.spec);
  const { auth = 'on', engine = 'all' } = options;
  const users = (options.users ?? []).map(userOf);
  const doubled = users.find((user, index) => users.findIndex((other) => other.id === user.id) !== index);
  if (doubled !== undefined) throw new OptionError('users', `user ${doubled.id} is given twice`);
  if (auth === 'on' && users.length === 0)
    throw new OptionError('users', 'at least one authorised user is needed, as ID:PARAPHRASE, unless auth is off');
  return {
    spec,
    baseUrl: baseUrlOf(options.baseUrl),
    collections: collectionsOf(options.collections),
    users,
    auth,
    ...enginesOf(engine, auth),
    clock: options.clock ?? defaults.clock,
    only: selectors('only', options.only ?? [], spec.catalogue),
    skip: selectors('skip', options.skip ?? [], spec.catalogue),
    runs: options.runs ?? defaults.runs,
    strength: options.strength ?? defaults.strength,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    concurrency: options.concurrency ?? defaults.concurrency,
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.budget === undefined ? {} : { budget: budgetOf(options.budget) }),
    toleranceMs: options.toleranceMs ?? defaults.toleranceMs,
    headers: givenHeaders(options.headers ?? [], spec.protocol),
    ...(options.ca === undefined ? {} : { ca: readCertificates(options.ca) }),
    insecure: options.insecure ?? false,
    baseline: baselineOf(options.baseline, spec.catalogue),
    strict: options.strict ?? false,
  };
}

const secondsIn = { s: 1, m: 60 } as const;

function budgetOf(given: number | string): Budget {
  const [, digits = '', unit] = /^([1-9][0-9]{0,8})([sm])?$/.exec(String(given)) ?? [];
  if (digits === '')
    throw new OptionError('budget', `${JSON.stringify(given)} is no budget; a number of requests (800) or a time (90s, 5m) is allowed`);
  if (unit === undefined) return { amount: Number(digits), unit: 'requests' };
  return { amount: Number(digits) * secondsIn[unit as keyof typeof secondsIn], unit: 'seconds' };
}

function specOf(given: ConformanceOptions['spec']): Spec {
  if (given === undefined) return ownSpec;
  return typeof given === 'object' && 'catalogue' in given ? given : loadSpec(given);
}

function baseUrlOf(given: string | URL): URL {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new OptionError(
      'baseUrl',
      `${JSON.stringify(String(given))} is no URL; an http or https address is expected, such as http://localhost:8080/api`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OptionError('baseUrl', `${JSON.stringify(String(given))} does not begin with http:// or https://${hostLike(given)}`);
  if (url.search !== '' || url.hash !== '') throw new OptionError('baseUrl', 'a base URL has no query and no fragment');
  if (url.username !== '' || url.password !== '')
    throw new OptionError('baseUrl', 'a base URL carries no user; users are given by themselves');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Somebody who leaves out the scheme has written a host and a port, which read like a scheme. */
function hostLike(given: string | URL): string {
  return /^[\w.-]+:\d+(\/|$)/.test(String(given)) ? `; perhaps http://${given} is meant` : '';
}

function userOf(given: string | { readonly id: number | string; readonly paraphrase: string }): User {
  const colon = typeof given === 'string' ? given.indexOf(':') : -1;
  if (typeof given === 'string' && colon < 0) throw new OptionError('users', 'ID:PARAPHRASE is expected, with a colon between');
  const user =
    typeof given === 'string'
      ? { id: given.slice(0, colon), paraphrase: given.slice(colon + 1) }
      : { id: String(given.id), paraphrase: given.paraphrase };
  if (!/^(0|-?[1-9][0-9]*)$/.test(user.id))
    throw new OptionError('users', `${JSON.stringify(user.id)} is no id; a decimal integer is expected before the colon`);
  if (typeof user.paraphrase !== 'string' || user.paraphrase === '')
    throw new OptionError('users', `the paraphrase of user ${user.id} is empty; a text is expected after the colon`);
  return user;
}
