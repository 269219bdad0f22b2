import { randomInt } from 'node:crypto';
import { allow, checkOptions, loadSpec, OptionError, spec as ownSpec, type Spec, type SpecSource } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import { type BaselineEntry, type Budget, checksIn, type OptionsIn, type RunOptions, settled, type User } from '../options.js';
import { baselineOf, selectedIds, selectors } from '../report/index.js';
import type { HeaderLine } from '../wire/index.js';
import { enginesOf } from './postman.js';
import type { Progress } from './progress.js';

type InTable = Omit<OptionsIn<'check' | 'runConformance'>, 'collections' | 'users' | 'strength' | 'budget' | 'baseline' | 'spec'>;

/** The options of `runConformance`, as a caller writes them: those of `hydrauth check`, and more. */
export interface ConformanceOptions extends InTable {
  /** Where the API begins, for example http://localhost:8080/api. */
  readonly baseUrl: string | URL;
  readonly collections: readonly string[];
  /** Each as `{ id, paraphrase }` or as the text `id:paraphrase`. Not needed with `auth: 'off'`. */
  readonly users?: readonly (string | { readonly id: number | string; readonly paraphrase: string })[];
  /** Every pair of circumstances (2, the default) or every triple (3) is tried. */
  readonly strength?: 2 | 3;
  /** The most requests (800), or the most time ('90s', '5m'): the most telling part of a run comes first, and the report says what was left out. */
  readonly budget?: number | string;
  /** The entries, or the file that holds them. */
  readonly baseline?: string | readonly BaselineEntry[];
  /** Another spec: loaded, the file of a profile, a folder, or its documents as data. */
  readonly spec?: Spec | SpecSource | string;
  /** Repeats these checks only, each with the one case that its path leads to. */
  readonly replay?: readonly { readonly check: string; readonly path: string }[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

const places = ['check', 'runConformance'] as const;
const checks = checksIn<ConformanceOptions, (typeof places)[number]>(places, {
  baseUrl: allow.anything(),
  users: allow.listOf('a list of users', allow.anything()),
  budget: allow.anything(),
  baseline: allow.anything(),
  spec: allow.anything(),
  replay: allow.anything(),
  signal: allow.anything(),
  onProgress: allow.anything(),
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
    headers: givenHeaders(inTable.headers, spec),
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
  const refuse = (why: string) => new OptionError('baseUrl', why);
  // A report that somebody else wrote may name it.
  if (String(given).length > 8000) throw refuse('a base URL has at most 8,000 characters');
  // The user in an address may be secret.
  const quoted = JSON.stringify(String(given).replace(/[^/]*@/, ''));
  if (!URL.canParse(String(given)))
    throw refuse(`${quoted} is no URL; an http or https address is expected, such as http://localhost:8080/api`);
  const url = new URL(given);
  // Somebody who leaves out the scheme has written a host and a port, which read like a scheme.
  const meant = /^[\w.-]+:\d+(\/|$)/.test(String(given)) ? `; perhaps http://${given} is meant` : '';
  if (!/^https?:$/.test(url.protocol)) throw refuse(`${quoted} does not begin with http:// or https://${meant}`);
  if (url.search !== '' || url.hash !== '') throw refuse('a base URL has no query and no fragment');
  if (url.username !== '' || url.password !== '') throw refuse('a base URL carries no user; users are given by themselves');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function userOf(given: string | { readonly id: number | string; readonly paraphrase: string }): User {
  const [, ...written] = typeof given === 'string' ? (/^([^:]*):(.*)$/s.exec(given) ?? []) : ['', String(given.id), given.paraphrase];
  const [id, paraphrase] = written;
  if (id === undefined) throw new OptionError('users', 'ID:PARAPHRASE is expected, with a colon between');
  if (!/^(0|-?[1-9][0-9]*)$/.test(id))
    throw new OptionError('users', 'the id of a user is no number; a decimal integer is expected before the colon');
  if (typeof paraphrase !== 'string' || paraphrase === '')
    throw new OptionError('users', `the paraphrase of user ${id} is empty; a text is expected after the colon`);
  return { id, paraphrase };
}

/** Characters that stand in a path as they are (RFC 3986, section 3.3); a percent sign begins an octet that is encoded already. */
const others = /[^\w.~!$&'()*+,;=:@%/-]+/g;

/** The names of collections as they stand in an address, each once. What a person writes is percent-encoded for them. */
function collectionsOf(given: readonly string[] = []): readonly [string, ...string[]] {
  const [first, ...more] = [...new Set(given.map(encoded))];
  if (first === undefined)
    throw new OptionError('collections', 'at least one collection of the service is needed, by its name below the base URL');
  return [first, ...more];
}

function encoded(given: string): string {
  const name = String(given).replace(/^\/+/, '');
  const refuse = (why: string) => new OptionError('collections', `${JSON.stringify(given)} is no path below the base URL: ${why}`);
  if (name === '') throw refuse('it is empty');
  if (/[?#]/.test(name)) throw refuse('a question mark or number sign ends a path; write %3F or %23 where it is part of the name');
  if (/%(?![0-9a-f]{2})/i.test(name)) throw refuse('a percent sign begins an encoded octet; write %25 where it is part of the name');
  if (name.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))) throw refuse('it leads to another address');
  try {
    return name.replace(others, encodeURIComponent);
  } catch {
    throw refuse('it is not valid Unicode');
  }
}

const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~]*[!-~])[ \t]*$/;
/** What frames a message, or says whom it is for, is the client's own affair. */
const ofMessages = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** Header lines for a gateway before the service, as `Name: value`. */
function givenHeaders(given: readonly string[], { protocol: { headers } }: Spec): readonly HeaderLine[] {
  const refused = new Set([...[headers.nonce, headers.token, headers.authorization].map((name) => name.toLowerCase()), ...ofMessages]);
  return given.map((each, index) => {
    const [, name, value] = line.exec(each) ?? [];
    if (name === undefined || value === undefined)
      // What is written there may be the key of a gateway.
      throw new OptionError('headers', `number ${index + 1} is no header line; "Name: value" is expected, in printable ASCII`);
    if (refused.has(name.toLowerCase()))
      throw new OptionError('headers', `${name} is not allowed; the checks themselves send or leave out ${[...refused].join(', ')}`);
    return [name, value];
  });
}
