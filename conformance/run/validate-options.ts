import { randomInt } from 'node:crypto';
import { allow, checkOptions, loadSpec, OptionError, spec as ownSpec, type Spec } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import { type Budget, checksIn, type RunOptions, settled, type User } from '../options.js';
import { baselineOf, selectedIds, selectors } from '../report/index.js';
import { collectionsOf } from './collection-names.js';
import type { ConformanceOptions } from './conformance-options.js';
import { givenHeaders } from './given-headers.js';
import { enginesOf } from './postman.js';

const places = ['check', 'runConformance'] as const;
const checks = checksIn<ConformanceOptions, (typeof places)[number]>(places, {
  baseUrl: allow.anything,
  users: allow.listOf('a list of users', allow.anything),
  budget: allow.anything,
  baseline: allow.anything,
  spec: allow.anything,
  replay: allow.anything,
  signal: allow.anything,
  onProgress: allow.anything,
});

export function validateOptions(options: ConformanceOptions): RunOptions {
  if (typeof options !== 'object' || options === null)
    throw new OptionError('options', 'an object with baseUrl, collections and users is expected');
  checkOptions(options, checks);
  const spec = specOf(options.spec);
  const { baseUrl, collections, users: givenUsers = [], budget, baseline, spec: _, ...plain } = options;
  const { engine, ca, budget: _budget, seed = randomInt(2 ** 31), ...inTable } = settled(plain, ...places);
  const users = givenUsers.map(userOf);
  const doubled = users.find((user, index) => users.findIndex((other) => other.id === user.id) !== index);
  if (doubled !== undefined) throw new OptionError('users', `user ${doubled.id} is given twice`);
  if (inTable.auth === 'on' && users.length === 0)
    throw new OptionError(
      'users',
      'at least one authorised user is needed, as ID:PARAPHRASE, unless auth is off; the command also takes them from HYDRAUTH_USERS',
    );
  const only = selectors('only', inTable.only, spec.catalogue);
  const skip = selectors('skip', inTable.skip, spec.catalogue);
  if (selectedIds({ spec, only, skip, auth: inTable.auth }).length === 0)
    throw new OptionError('only', `--only and --skip leave nothing that can be judged with auth ${inTable.auth}`);
  return {
    ...inTable,
    spec,
    baseUrl: baseUrlOf(baseUrl),
    collections: collectionsOf(collections),
    users,
    ...enginesOf(engine, inTable.auth),
    only,
    skip,
    strength: inTable.strength as 2 | 3,
    seed,
    ...(budget === undefined ? {} : { budget: budgetOf(budget) }),
    headers: givenHeaders(inTable.headers, spec.protocol),
    ...(ca === undefined ? {} : { ca: readCertificates(ca) }),
    baseline: baselineOf(baseline, spec.catalogue),
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
