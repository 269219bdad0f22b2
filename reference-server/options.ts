import { allow, checkOptions, OptionError, type OptionsOf, type Spec } from '../spec/index.js';
import { type Limits, validLimits } from './listener.js';
import { isManual, type Parts, type PartsContext } from './parts/index.js';
import { authSettings, policyChecks, specCheck } from './plugin/index.js';
import { defaultCollections, defaultUsers, type User } from './users.js';

/** Everything is optional; a server without options works. */
export type ReferenceServerOptions = OptionsOf<typeof own> & OptionsOf<typeof policyChecks>;

/** What a server that listens can be started with, besides. */
export type StartOptions = ReferenceServerOptions & OptionsOf<typeof atStart>;

export type Settings = ReturnType<typeof readOptions>;

const own = {
  /** The spec that the answers are built from, or the file of a profile. Default: the package's own. */
  spec: specCheck,
  users: allow.listOf('a list of { id, paraphrase }', allow.anything<User>()),
  collections: allow.listOf(
    'a list of names without slash, backslash and control characters, none of them empty or dots,',
    allow.text('', /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Surrogate}]+$/u),
  ),
  /** 0 for a free one. */
  port: allow.whole(0, 65_535),
  host: allow.text('a host name or address', /^[A-Za-z0-9.:_-]+$/),
  /** Offers the clock contract on a loopback listener of its own. Default: with a manual clock. */
  clockControl: allow.trueOrFalse,
  limits: allow.what<Partial<Limits>>('an object', (value) => typeof value === 'object' && value !== null),
  /** How many of the last exchanges `recorded` holds; 0 for none. */
  recordLast: allow.whole(0, Number.MAX_SAFE_INTEGER),
  parts: allow.what<(parts: Parts, context: PartsContext) => Parts>(
    'a function from parts to parts',
    (value) => typeof value === 'function',
  ),
};

const checks = { ...own, ...policyChecks };

const ids = allow.listOf('a list of ids', allow.text(''));
const atStart = {
  /** The ids of faults that the server has from the start. */
  faults: ids,
  variants: ids,
  /** Opens a second listener, on loopback, through which the server is controlled. */
  control: allow.trueOrFalse,
  /** Serves the live page there; includes `control`. */
  page: allow.trueOrFalse,
};

/** So many exchanges are kept for those who ask over HTTP. A thousand would cost Step C a fifteenth: what is kept long must be moved by the garbage collector. */
const controlledExchanges = 300;

/** The options that every server has, and the others. */
export function readStartOptions(options: StartOptions = {}) {
  checkOptions(options, { ...checks, ...atStart });
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
