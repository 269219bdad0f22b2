import { availableParallelism } from 'node:os';
import { allow, checkOptions, loadSpec, OptionError, type OptionsOf, spec as ownSpec, type Spec } from '../../spec/index.js';
import { type BaselineEntry, checksIn, type OptionsIn, settled } from '../options.js';
import { baselineOf, type ReportTarget, selectedIds, selectors } from '../report/index.js';
import type { ClientUser } from './traffic.js';

/** One request that a client is asked to make. */
export interface ReadRequest {
  readonly url: string;
  /** GET where it is not given. */
  readonly method?: string;
  /** Sent in UTF-8. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a client says of a request: the final status, or why there is none. */
export type Said =
  | { readonly status: number }
  /** refused: the credentials are not accepted; gave-up: the tokens are not; unsupported: the client cannot do such a thing. */
  | { readonly error: 'refused' | 'gave-up' | 'network' | 'unsupported' };

/** The service that a client is to use, and as whom. */
export interface ClientService {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  readonly user: number;
  readonly paraphrase: string;
  /** Stands for what the client would print. */
  print(text: string): void;
}

/** A client as a function: called once a scenario, so that it begins without token and nonce. */
export type Connect = (service: ClientService) => { read(request: ReadRequest): Promise<Said> };

/** What the judge of clients and a watch are asked about rows. */
export interface RowOptions extends Pick<OptionsIn<'check-client' | 'watch'>, 'only' | 'skip' | 'strict'> {
  /** Another profile of the protocol, loaded or as its file. */
  readonly spec?: Spec | string;
  /** The entries, or the file that holds them. */
  readonly baseline?: string | readonly BaselineEntry[];
}

/** Those of `hydrauth proxy` and `hydrauth watch`, and the address of the service. */
export interface ProxyOptions extends RowOptions, Omit<OptionsIn<'watch'>, keyof RowOptions> {
  readonly baseUrl: string;
  /** As whom the proxy logs in. Without one it passes everything on as it is, and judges the client. */
  readonly user?: ClientUser;
  readonly onProblem?: (text: string) => void;
  /** The time in milliseconds, from whenever. */
  readonly nowMs?: () => number;
}

const isFunction = (value: unknown) => typeof value === 'function';
const words = allow.listOf('a list of texts', allow.text('a text'));
type Progress = { readonly done: number; readonly total: number; readonly what: string };

/** What is not in the table of options, or takes more than there. One of client, command and driver says what is judged. */
const others = {
  spec: allow.what<Spec | string>('a loaded spec or the file of one', (value) => typeof value === 'string' || typeof value === 'object'),
  client: allow.what<Connect>('a function', isFunction),
  /** The words that start a client, once a scenario; {url} in them is the base URL. */
  command: words,
  /** The words that start a client which is asked in JSON lines. */
  driver: words,
  /** What the report calls it. Default: the words of its command. */
  name: allow.text('a text'),
  passEnv: allow.listOf('a list of names of variables', allow.text('a name', /^[^=]+$/)),
  baseline: allow.anything<string | readonly BaselineEntry[]>(),
  signal: allow.anything<AbortSignal>(),
  onProgress: allow.what<(progress: Progress) => void>('a function', isFunction),
};

/** The options of `runClientConformance`: those of `hydrauth check-client`, and more. */
export type ClientConformanceOptions = OptionsOf<typeof others> & Omit<OptionsIn<'check-client'>, keyof typeof others>;

const checks = checksIn<ClientConformanceOptions, 'check-client'>(['check-client'], others);

export type ClientSettings = ReturnType<typeof validateClientOptions>;

export function validateClientOptions(options: ClientConformanceOptions) {
  if (typeof options !== 'object' || options === null)
    throw new OptionError('options', 'an object with client, command or driver is expected');
  checkOptions(options, checks);
  const { client, command, driver, spec: _, baseline: __, ...plain } = options;
  const { jobs = availableParallelism(), timeoutMs, passEnv, record } = settled(plain, 'check-client');
  if ([client, command, driver].filter((each) => each !== undefined).length !== 1)
    throw new OptionError('options', 'exactly one of client, command and driver is expected');
  const started = command ?? driver;
  if (started?.[0] === '' || started?.length === 0) throw new OptionError('command', 'the words that start the client are expected');
  const way = client !== undefined ? 'function' : driver === undefined ? 'command' : 'driver';
  const name = options.name ?? started?.join(' ') ?? 'a client';
  // A client has no address; the report gives it a name of the form of one.
  const target = targetOf(`client:${encodeURIComponent(name)}`, { way, name, ...(started && { command: started }) });
  return { ...rowSettings(options), target, jobs, timeoutMs, passEnv, record };
}

export type RowSettings = ReturnType<typeof rowSettings>;

/** Which rows are judged, of which spec, and how. */
export function rowSettings({ spec: given = ownSpec, only = [], skip = [], baseline, strict = false }: RowOptions) {
  const loaded = typeof given === 'string' ? loadSpec(given) : given;
  // As reports about clients see it: its catalogue is that of clients.
  const spec: Spec = { ...loaded, catalogue: loaded.clientCatalogue };
  const [isOnly, isSkipped] = [selectors('only', only, spec.catalogue), selectors('skip', skip, spec.catalogue)];
  const selected: ReadonlySet<string> = new Set(selectedIds({ spec, only: isOnly, skip: isSkipped, auth: 'on' }));
  if (selected.size === 0) throw new OptionError('only', 'what is selected, without what is skipped, is nothing');
  return { spec, selected, baseline: baselineOf(baseline, spec.catalogue), strict };
}

/** What a report says of its target, where that is a client. */
export function targetOf(url: string, client: NonNullable<ReportTarget['client']>): ReportTarget {
  return { url, collections: [], users: [], clock: 'none', auth: 'on', client };
}
