import { availableParallelism } from 'node:os';
import { allow, checkOptions, OptionError, type Spec, spec } from '../../spec/index.js';
import { type BaselineEntry, checksIn, type OptionsIn, settled } from '../options.js';
import { baselineOf, type ReportTarget, selectedIds, selectors } from '../report/index.js';
import type { Connect } from './contract.js';

/** The options of `runClientConformance`: those of `hydrauth check-client`, and more. One of client, command and driver says what is judged. */
export interface ClientConformanceOptions extends Omit<OptionsIn<'check-client'>, 'baseline'> {
  /** A client as a function. */
  readonly client?: Connect;
  /** The words that start a client, once a scenario; {url} in them is the base URL. */
  readonly command?: readonly string[];
  /** The words that start a client which is asked in JSON lines. */
  readonly driver?: readonly string[];
  /** What the report calls it. Default: the words of its command. */
  readonly name?: string;
  /** The entries, or the file that holds them. */
  readonly baseline?: string | readonly BaselineEntry[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly what: string }) => void;
}

export interface ClientSettings {
  readonly way: 'command' | 'driver' | 'function';
  readonly client?: Connect;
  readonly words: readonly string[];
  readonly target: ReportTarget;
  readonly selected: ReadonlySet<string>;
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly baseline: readonly BaselineEntry[];
  readonly strict: boolean;
}

/** The spec as reports about clients see it. */
export const clientSpec: Spec = { ...spec, catalogue: spec.clientCatalogue };

const texts = allow.listOf('a list of texts', allow.text('a text'));

const checks = checksIn<ClientConformanceOptions, 'check-client'>(['check-client'], {
  client: ['a function', (value) => typeof value === 'function'],
  command: texts,
  driver: texts,
  name: allow.text('a text'),
  baseline: allow.anything,
  signal: allow.anything,
  onProgress: allow.anything,
});

export function validateClientOptions(options: ClientConformanceOptions): ClientSettings {
  if (typeof options !== 'object' || options === null)
    throw new OptionError('options', 'an object with client, command or driver is expected');
  checkOptions(options, checks);
  const { client, command, driver, baseline, ...plain } = options;
  const { jobs = availableParallelism(), timeoutMs, strict, ...selection } = settled(plain, 'check-client');
  if ([client, command, driver].filter((each) => each !== undefined).length !== 1)
    throw new OptionError('options', 'exactly one of client, command and driver is expected');
  const words = command ?? driver ?? [];
  if (client === undefined && (words[0] ?? '') === '') throw new OptionError('command', 'the words that start the client are expected');
  const way = client !== undefined ? 'function' : driver === undefined ? 'command' : 'driver';
  const only = selectors('only', selection.only, clientSpec.catalogue);
  const skip = selectors('skip', selection.skip, clientSpec.catalogue);
  const selected = new Set(selectedIds({ spec: clientSpec, only, skip, auth: 'on' }));
  if (selected.size === 0) throw new OptionError('only', 'what is selected, without what is skipped, is nothing');
  return {
    way,
    ...(client === undefined ? {} : { client }),
    words,
    target: clientTarget(way, options.name ?? (way === 'function' ? 'a client' : words.join(' ')), words),
    selected,
    jobs,
    timeoutMs,
    baseline: baselineOf(baseline, clientSpec.catalogue),
    strict,
  };
}

/** A client has no address; the report gives it a name of the form of one. */
function clientTarget(way: ClientSettings['way'], name: string, words: readonly string[]): ReportTarget {
  return {
    url: `client:${encodeURIComponent(name)}`,
    collections: [],
    users: [],
    clock: 'none',
    auth: 'on',
    client: { way, name, ...(way === 'function' ? {} : { command: words }) },
  };
}
