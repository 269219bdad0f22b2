import { allow, checkOptions, loadSpec, type OptionChecks, OptionError, spec as packageSpec, type Spec } from '../../spec/index.js';
import { type Clock, manualClock, systemClock } from '../parts/index.js';
import type { UserLookup } from '../stores/index.js';
import { type User, validUsers } from '../users.js';

export interface HydraAuthOptions extends AuthOptions {
  /** Makes the strategy the default of the server, so that routes outside the base path are protected too. */
  readonly asDefault?: boolean;
  /** The name of the strategy. Default: hydrauth, and with the base path behind it when the plugin is registered again. */
  readonly strategy?: string;
}

/** What the plugin and the reference server have in common. */
export interface AuthOptions {
  /** The spec that the answers are built from, or the file of a profile. Default: the package's own. */
  readonly spec?: Spec | string;
  /** The users, or a function that looks up the hash of a user's paraphrase in a database of your own. */
  readonly users: readonly User[] | UserLookup;
  /** The path before every protected address, such as /api; empty for the whole server. */
  readonly basePath?: string;
  /** The base URL as clients know it, where a proxy stands between. Default: what the request's Host says, and the base path. */
  readonly publicUrl?: string;
  readonly auth?: 'on' | 'off';
  readonly tokens?: 'on' | 'off';
  readonly clock?: Clock | 'system' | 'manual';
  readonly nonceLifetimeMs?: number;
  readonly nonceSingleUse?: boolean;
  /** Whether a request with wrong credentials spends its nonce too. */
  readonly refusalSpendsNonce?: boolean;
  /** 'memory', or the URL of a Redis server that several instances share. */
  readonly store?: string;
}

export interface AuthSettings extends Required<Omit<AuthOptions, 'spec' | 'clock' | 'publicUrl'>> {
  readonly spec: Spec;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
}

const isClock = (value: unknown) => typeof (value as Clock | null)?.now === 'function';
const isUrl = (value: unknown, scheme: RegExp) => typeof value === 'string' && scheme.test(value) && URL.canParse(value);

export const authChecks: OptionChecks<AuthOptions> = {
  spec: [
    'a loaded spec or the file of one',
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null && 'protocol' in value),
  ],
  users: [
    'a list of { id, paraphrase }, or a function from an id to a hash',
    (value) => Array.isArray(value) || typeof value === 'function',
  ],
  basePath: allow.text('empty, or a path that begins with a slash and does not end with one', /^(?:\/[A-Za-z0-9._~-]+)*$/),
  publicUrl: ['an http or https URL', (value) => isUrl(value, /^https?:\/\//)],
  auth: allow.oneOf('on', 'off'),
  tokens: allow.oneOf('on', 'off'),
  clock: ['system, manual, or a clock with now()', (value) => value === 'system' || value === 'manual' || isClock(value)],
  nonceLifetimeMs: allow.whole(1, Number.MAX_SAFE_INTEGER),
  nonceSingleUse: allow.trueOrFalse,
  refusalSpendsNonce: allow.trueOrFalse,
  store: ['memory, or a URL that begins with redis:// or rediss://', (value) => value === 'memory' || isUrl(value, /^rediss?:\/\//)],
};

const pluginChecks: OptionChecks<HydraAuthOptions> = { ...authChecks, asDefault: allow.trueOrFalse, strategy: allow.text('a name', /./) };

/** Validates the options once; what is unknown or wrong throws and says what is allowed. */
export function readAuthOptions(options: HydraAuthOptions): AuthSettings {
  checkOptions(options, pluginChecks);
  const { asDefault: _, strategy: __, ...auth } = options;
  if (auth.users === undefined) throw new OptionError('users', `none is not allowed; ${authChecks.users[0]} is`);
  return authSettings(auth);
}

export function authSettings({ spec, users, publicUrl, clock, ...rest }: AuthOptions): AuthSettings {
  return {
    spec: typeof spec === 'string' ? loadSpec(spec) : (spec ?? packageSpec),
    basePath: '',
    auth: 'on',
    tokens: 'on',
    nonceLifetimeMs: 300_000,
    nonceSingleUse: true,
    refusalSpendsNonce: true,
    store: 'memory',
    ...given(rest),
    users: typeof users === 'function' ? users : validUsers(users),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    clock: clock === 'manual' ? manualClock() : clock === undefined || clock === 'system' ? systemClock() : clock,
  };
}

/** An option that is undefined counts as not given. */
function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
