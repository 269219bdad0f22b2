import { allow, checkOptions, loadSpec, type OptionChecks, OptionError, spec as packageSpec, type Spec } from '../spec/index.js';
import { type Limits, validLimits } from './limits.js';
import { type Clock, isManual, manualClock, type Parts, type PartsContext, systemClock } from './parts/index.js';
import { defaultCollections, defaultUsers, type User, validUsers } from './users.js';

/** Everything is optional; a server without options works. */
export interface ReferenceServerOptions {
  /** The spec that the answers are built from, or the file of a profile. Default: the package's own. */
  readonly spec?: Spec | string;
  readonly users?: readonly User[];
  readonly collections?: readonly string[];
  /** The path before every address, such as /api; empty for none. */
  readonly basePath?: string;
  /** The base URL as clients know it, where a proxy stands between. Default: what the request's Host says, and the base path. */
  readonly publicUrl?: string;
  /** 0 for a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly auth?: 'on' | 'off';
  readonly tokens?: 'on' | 'off';
  readonly clock?: Clock | 'system' | 'manual';
  /** Offers the clock contract on a loopback listener of its own. Default: with a manual clock. */
  readonly clockControl?: boolean;
  readonly nonceLifetimeMs?: number;
  readonly nonceSingleUse?: boolean;
  /** Whether a request with wrong credentials spends its nonce too. */
  readonly refusalSpendsNonce?: boolean;
  /** 'memory', or the URL of a Redis server that several instances share. */
  readonly store?: string;
  readonly limits?: Partial<Limits>;
  /** How many of the last exchanges `recorded` holds; 0 for none. */
  readonly recordLast?: number;
  /** Replaces parts of the server. */
  readonly parts?: (parts: Parts, context: PartsContext) => Parts;
}

export interface Settings extends Required<Omit<ReferenceServerOptions, 'spec' | 'clock' | 'publicUrl' | 'limits'>> {
  readonly spec: Spec;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
  readonly limits: Limits;
}

export const defaultNonceLifetimeMs = 300_000;

const isClock = (value: unknown) => typeof (value as Clock | null)?.now === 'function';
const isUrl = (value: unknown, scheme: RegExp) => typeof value === 'string' && scheme.test(value) && URL.canParse(value);

const checks: OptionChecks<ReferenceServerOptions> = {
  spec: [
    'a loaded spec or the file of one',
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null && 'protocol' in value),
  ],
  users: allow.listOf('a list of { id, paraphrase }', allow.anything),
  collections: allow.listOf(
    'a list of names, at least one, each without slash and control characters',
    allow.text('', /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Surrogate}]+$/u),
  ),
  basePath: allow.text('empty, or a path that begins with a slash and does not end with one', /^(?:\/[A-Za-z0-9._~-]+)*$/),
  publicUrl: ['an http or https URL', (value) => isUrl(value, /^https?:\/\//)],
  port: allow.whole(0, 65_535),
  host: allow.text('a host name or address', /^[A-Za-z0-9.:_-]+$/),
  auth: allow.oneOf('on', 'off'),
  tokens: allow.oneOf('on', 'off'),
  clock: ['system, manual, or a clock with now()', (value) => value === 'system' || value === 'manual' || isClock(value)],
  clockControl: allow.trueOrFalse,
  nonceLifetimeMs: allow.whole(1, Number.MAX_SAFE_INTEGER),
  nonceSingleUse: allow.trueOrFalse,
  refusalSpendsNonce: allow.trueOrFalse,
  store: ['memory, or a URL that begins with redis:// or rediss://', (value) => value === 'memory' || isUrl(value, /^rediss?:\/\//)],
  limits: ['an object', (value) => typeof value === 'object' && value !== null],
  recordLast: allow.whole(0, Number.MAX_SAFE_INTEGER),
  parts: ['a function from parts to parts', (value) => typeof value === 'function'],
};

/** Validates the options once; what is unknown or wrong throws and says what is allowed. */
export function readOptions(options: ReferenceServerOptions = {}): Settings {
  checkOptions(options, checks);
  const spec = typeof options.spec === 'string' ? loadSpec(options.spec) : (options.spec ?? packageSpec);
  const clock = options.clock === 'manual' ? manualClock() : options.clock === 'system' ? systemClock() : (options.clock ?? systemClock());
  if (options.clockControl === true && !isManual(clock))
    throw new OptionError('clockControl', 'true is not allowed with this clock; only a manual clock can be moved');
  return {
    spec,
    users: validUsers(options.users ?? defaultUsers),
    collections: collections(options.collections ?? defaultCollections, spec),
    basePath: options.basePath ?? '/api',
    publicUrl: options.publicUrl?.replace(/\/+$/, ''),
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    auth: options.auth ?? 'on',
    tokens: options.tokens ?? 'on',
    clock,
    clockControl: options.clockControl ?? isManual(clock),
    nonceLifetimeMs: options.nonceLifetimeMs ?? defaultNonceLifetimeMs,
    nonceSingleUse: options.nonceSingleUse ?? true,
    refusalSpendsNonce: options.refusalSpendsNonce ?? true,
    store: options.store ?? 'memory',
    limits: validLimits(options.limits),
    recordLast: options.recordLast ?? 100,
    parts: options.parts ?? ((parts) => parts),
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
