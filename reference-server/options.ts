import { allow, checkOptions, type OptionChecks, OptionError, type Spec } from '../spec/index.js';
import { type Limits, validLimits } from './listener.js';
import { isManual, type Parts, type PartsContext } from './parts/index.js';
import { type AuthOptions, authChecks, authSettings } from './plugin/index.js';
import { defaultCollections, defaultUsers, type User } from './users.js';

/** Everything is optional; a server without options works. */
export interface ReferenceServerOptions extends Omit<AuthOptions, 'users'> {
  readonly users?: readonly User[];
  readonly collections?: readonly string[];
  /** 0 for a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Offers the clock contract on a loopback listener of its own. Default: with a manual clock. */
  readonly clockControl?: boolean;
  readonly limits?: Partial<Limits>;
  /** How many of the last exchanges `recorded` holds; 0 for none. */
  readonly recordLast?: number;
  readonly parts?: (parts: Parts, context: PartsContext) => Parts;
}

/** What a server that listens can be started with, besides. */
export interface StartOptions extends ReferenceServerOptions {
  /** The ids of faults that the server has from the start. */
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
  /** Opens a second listener, on loopback, through which the server is controlled. */
  readonly control?: boolean;
  /** Serves the live page there; includes `control`. */
  readonly page?: boolean;
}

export type Settings = ReturnType<typeof readOptions>;

const { spec, users: _, ...policies } = authChecks;

const checks: OptionChecks<ReferenceServerOptions> = {
  spec,
  users: allow.listOf('a list of { id, paraphrase }', allow.anything),
  collections: allow.listOf(
    'a list of names without slash, backslash and control characters, none of them empty or dots,',
    allow.text('', /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Surrogate}]+$/u),
  ),
  ...policies,
  port: allow.whole(0, 65_535),
  host: allow.text('a host name or address', /^[A-Za-z0-9.:_-]+$/),
  clockControl: allow.trueOrFalse,
  limits: ['an object', (value) => typeof value === 'object' && value !== null],
  recordLast: allow.whole(0, Number.MAX_SAFE_INTEGER),
  parts: ['a function from parts to parts', (value) => typeof value === 'function'],
};

const ids = allow.listOf('a list of ids', allow.text(''));
const startChecks: OptionChecks<StartOptions> = {
  ...checks,
  faults: ids,
  variants: ids,
  control: allow.trueOrFalse,
  page: allow.trueOrFalse,
};

/** So many exchanges are kept for those who ask over HTTP. A thousand would cost Step C a fifteenth: what is kept long must be moved by the garbage collector. */
const controlledExchanges = 300;

/** The options that every server has, and the others. */
export function readStartOptions(options: StartOptions = {}) {
  checkOptions(options, startChecks);
  const { faults = [], variants = [], page = false, control = page, ...base } = options;
  if (!control) {
    if (page) throw new OptionError('control', 'false is not allowed beside page; the live page is served by the control listener');
    return { faults, variants, page, control, base };
  }
  const { recordLast = controlledExchanges } = base;
  if (recordLast === 0) throw new OptionError('recordLast', '0 is not allowed beside control; a whole number of 1 or more is');
  return { faults, variants, page, control, base: { ...base, recordLast } };
}

/** Validates the options once; what is unknown or wrong throws and says what is allowed. */
export function readOptions(options: ReferenceServerOptions = {}) {
  checkOptions(options, checks);
  const users = options.users ?? defaultUsers;
  const auth = authSettings({ ...options, users, basePath: options.basePath ?? '/api' });
  if (options.clockControl === true && !isManual(auth.clock))
    throw new OptionError('clockControl', 'true is not allowed with this clock; only a manual clock can be moved');
  return {
    ...auth,
    users,
    collections: collections(options.collections ?? defaultCollections, auth.spec),
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    clockControl: options.clockControl ?? isManual(auth.clock),
    limits: validLimits(options.limits),
    recordLast: options.recordLast ?? 100,
    parts: options.parts ?? ((parts: Parts) => parts),
  };
}

function collections(names: readonly string[], spec: Spec): readonly string[] {
  if (names.length === 0) throw new OptionError('collections', 'none is not allowed; at least one is needed');
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) throw new OptionError('collections', `${name} stands twice`);
    if (`/${name}` === spec.protocol.link.path) throw new OptionError('collections', `${name} is not allowed; the vocabulary stands there`);
  }
  return names;
}
