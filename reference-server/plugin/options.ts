import {
  allow,
  checkOptions,
  isUrl,
  loadSpec,
  OptionError,
  type OptionsOf,
  spec as packageSpec,
  present,
  type Spec,
} from '../../spec/index.js';
import { type Clock, manualClock, systemClock } from '../parts/index.js';
import type { UserLookup } from '../stores/index.js';
import { type User, validUsers } from '../users.js';

const isSpec = (value: unknown) => typeof value === 'string' || (typeof value === 'object' && value !== null && 'protocol' in value);
const isClock = (value: unknown) => value === 'system' || value === 'manual' || typeof (value as Clock | null)?.now === 'function';

/** What the plugin and the reference server have in common, besides the users. */
export const specCheck = allow.what<Spec | string>('a loaded spec or the file of one', isSpec);
export const policyChecks = {
  /** The path before every protected address, such as /api; empty for the whole server. */
  basePath: allow.text('empty, or a path that begins with a slash and does not end with one', /^(?:\/[A-Za-z0-9._~-]+)*$/),
  /** The base URL as clients know it, where a proxy stands between. Default: what the request's Host says, and the base path. */
  publicUrl: allow.what<string>('an http or https URL', (value) => isUrl(value, /^https?:\/\//)),
  auth: allow.oneOf('on', 'off'),
  tokens: allow.oneOf('on', 'off'),
  clock: allow.what<Clock | 'system' | 'manual'>('system, manual, or a clock with now()', isClock),
  nonceLifetimeMs: allow.whole(1, Number.MAX_SAFE_INTEGER),
  nonceSingleUse: allow.trueOrFalse,
  /** Whether a request with wrong credentials spends its nonce too. */
  refusalSpendsNonce: allow.trueOrFalse,
  /** 'memory', or the URL of a Redis server that several instances share. */
  store: allow.what<string>(
    'memory, or a URL that begins with redis:// or rediss://',
    (value) => value === 'memory' || isUrl(value, /^rediss?:\/\//),
  ),
};

const authChecks = {
  /** The spec that the answers are built from, or the file of a profile. Default: the package's own. */
  spec: specCheck,
  /** The users, or a function that looks up the hash of a user's paraphrase in a database of your own. */
  users: allow.what<readonly User[] | UserLookup>(
    'a list of { id, paraphrase }, or a function from an id to a hash',
    (value) => Array.isArray(value) || typeof value === 'function',
  ),
};

const pluginChecks = {
  /** Makes the strategy the default of the server, so that routes outside the base path are protected too. */
  asDefault: allow.trueOrFalse,
  /** The name of the strategy. Default: hydrauth, and with the base path behind it when the plugin is registered again. */
  strategy: allow.text('a name', /./),
};

export type AuthOptions = OptionsOf<typeof authChecks, 'users'> & OptionsOf<typeof policyChecks>;
export type HydraAuthOptions = AuthOptions & OptionsOf<typeof pluginChecks>;

export interface AuthSettings extends Required<Omit<AuthOptions, 'spec' | 'clock' | 'publicUrl'>> {
  readonly spec: Spec;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
}

/** Validates the options once; what is unknown or wrong throws and says what is allowed. */
export function readAuthOptions(options: HydraAuthOptions): AuthSettings {
  checkOptions(options, { ...authChecks, ...policyChecks, ...pluginChecks });
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
    ...present(rest),
    users: typeof users === 'function' ? users : validUsers(users),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    clock: clock === 'manual' ? manualClock() : clock === undefined || clock === 'system' ? systemClock() : clock,
  };
}
