import { availableParallelism } from 'node:os';
import { allow, checkOptions, loadSpec, OptionError, spec as ownSpec, type Spec } from '../../spec/index.js';
import { type BaselineEntry, checksIn, type OptionsIn, settled } from '../options.js';
import { baselineOf, type ReportTarget, selectedIds, selectors } from '../report/index.js';
import type { Connect } from './contract.js';

/** What the judge of clients and a watch are asked about rows. */
export interface RowOptions extends Pick<OptionsIn<'check-client' | 'watch'>, 'only' | 'skip' | 'strict'> {
  /** Another profile of the protocol, loaded or as its file. */
  readonly spec?: Spec | string;
  /** The entries, or the file that holds them. */
  readonly baseline?: string | readonly BaselineEntry[];
}

/** The options of `runClientConformance`: those of `hydrauth check-client`, and more. One of client, command and driver says what is judged. */
export interface ClientConformanceOptions extends RowOptions, Omit<OptionsIn<'check-client'>, keyof RowOptions> {
  /** A client as a function. */
  readonly client?: Connect;
  /** The words that start a client, once a scenario; {url} in them is the base URL. */
  readonly command?: readonly string[];
  /** The words that start a client which is asked in JSON lines. */
  readonly driver?: readonly string[];
  /** What the report calls it. Default: the words of its command. */
  readonly name?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly what: string }) => void;
}

/** Which rows are judged, of which spec, and how. */
export interface RowSettings {
  /** The spec as reports about clients see it: its catalogue is that of clients. */
  readonly spec: Spec;
  readonly selected: ReadonlySet<string>;
  readonly baseline: readonly BaselineEntry[];
  readonly strict: boolean;
}

export interface ClientSettings extends RowSettings {
  readonly way: 'command' | 'driver' | 'function';
  readonly client: Connect | undefined;
  readonly words: readonly string[];
  readonly target: ReportTarget;
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly passEnv: readonly string[];
  readonly record: string | undefined;
}

const texts = allow.listOf('a list of texts', allow.text('a text'));

const checks = checksIn<ClientConformanceOptions, 'check-client'>(['check-client'], {
  spec: ['a loaded spec or the file of one', (value) => typeof value === 'string' || typeof value === 'object'],
  client: ['a function', (value) => typeof value === 'function'],
  command: texts,
  driver: texts,
  name: allow.text('a text'),
  passEnv: allow.listOf('a list of names of variables', allow.text('a name', /^[^=]+$/)),
  baseline: allow.anything,
  signal: allow.anything,
  onProgress: allow.anything,
});

export function validateClientOptions(options: ClientConformanceOptions): ClientSettings {
  if (typeof options !== 'object' || options === null)
    throw new OptionError('options', 'an object with client, command or driver is expected');
  checkOptions(options, checks);
  const { client, command, driver, spec: _, baseline: __, ...plain } = options;
  const { jobs = availableParallelism(), timeoutMs, passEnv, record } = settled(plain, 'check-client');
  if ([client, command, driver].filter((each) => each !== undefined).length !== 1)
    throw new OptionError('options', 'exactly one of client, command and driver is expected');
  const words = command ?? driver ?? [];
  if (client === undefined && (words[0] ?? '') === '') throw new OptionError('command', 'the words that start the client are expected');
  const way = client !== undefined ? 'function' : driver === undefined ? 'command' : 'driver';
  const name = options.name ?? (way === 'function' ? 'a client' : words.join(' '));
  // A client has no address; the report gives it a name of the form of one.
  const target = targetOf(`client:${encodeURIComponent(name)}`, { way, name, ...(way === 'function' ? {} : { command: words }) });
  return { ...rowSettings(options), way, client, words, target, jobs, timeoutMs, passEnv, record };
}

export function rowSettings({ spec: given = ownSpec, only = [], skip = [], baseline, strict = false }: RowOptions): RowSettings {
  const loaded = typeof given === 'string' ? loadSpec(given) : given;
  const ofClients: Spec = { ...loaded, catalogue: loaded.clientCatalogue };
  const [isOnly, isSkipped] = [selectors('only', only, ofClients.catalogue), selectors('skip', skip, ofClients.catalogue)];
  const selected = new Set(selectedIds({ spec: ofClients, only: isOnly, skip: isSkipped, auth: 'on' }));
  if (selected.size === 0) throw new OptionError('only', 'what is selected, without what is skipped, is nothing');
  return {
    spec: ofClients,
    selected,
    baseline: baselineOf(baseline, ofClients.catalogue),
    strict,
  };
}

/** What a report says of its target, where that is a client. */
export function targetOf(url: string, client: NonNullable<ReportTarget['client']>): ReportTarget {
  return { url, collections: [], users: [], clock: 'none', auth: 'on', client };
}
