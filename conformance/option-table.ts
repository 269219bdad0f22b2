/**
 * Every option there is, once. The command line, its help, the configuration file, `docs/command-line.md`, the options of the library with
 * their types, their validation and their defaults are made from this table. It loads nothing, so that help comes at once.
 */
const judging = ['check', 'check-client', 'watch'] as const;
const seeing = ['proxy', 'judge'] as const;
const fixtures = ['serve', 'demo'] as const;
const lookingUp = ['requirements', 'explain', 'faults', 'variants', 'export'] as const;
const withReports = ['report', 'replay', 'compare', 'fleet', 'merge', 'attest'] as const;
/** In the order of the help. */
export const commandNames = [...judging, ...seeing, ...fixtures, 'self-test', ...lookingUp, ...withReports, 'work'] as const;
/** A command, or the library. */
export type Place = (typeof commandNames)[number] | 'runConformance';

/** An option as one command takes it. */
export interface Option {
  /** Without the two dashes; the same in the configuration file. */
  readonly name: string;
  readonly text: string;
  /** The name of the value in the help; an option without one is a flag. */
  readonly value?: string;
  /** Takes several values: `--x a b`, `--x a --x b`. */
  readonly many?: true;
  /** It may be given without a value. */
  readonly optional?: true;
  /** What it means without one. */
  readonly bare?: number;
  /** Accepted in any letter case, passed on as written here. */
  readonly allowed?: readonly string[];
  /** A whole number between these two. */
  readonly whole?: readonly [from: number, to: number];
  /** What holds when it is not given. */
  readonly default?: string | number;
  /** Options that cannot be given beside this one. */
  readonly not?: readonly string[];
  /** The name in JavaScript of what is passed on to the library. */
  readonly key?: string;
}

/** What an option takes and where it can be given, what it does, and what is different in some of these places. */
type OptionRow = readonly [form: Form, text: string, but?: Partial<Record<Place, Pick<Partial<Option>, 'text' | 'default'>>>];

interface Form extends Omit<Option, 'name' | 'text'> {
  /** Where the row has another name, because commands mean different things by the same option. */
  readonly flag?: string;
  readonly in: readonly Place[];
}

const inJson = [...judging, 'judge', 'demo', 'report', 'replay'] as const;
const writing = [...inJson, 'proxy'] as const;
const strictSeeing =
  'A violated SHOULD, a flaky requirement and an untested MUST fail the run too; not a MUST of clients that traffic alone cannot show.';

export const optionTable = {
  collection: [
    { key: 'collections', value: 'NAME', many: true, in: ['check', 'serve'] },
    'Collections of the service, by their names below the base URL. At least one.',
    { serve: { text: 'Collections to serve.' } },
  ],
  user: [
    { key: 'users', value: 'ID:PARAPHRASE', many: true, in: ['check', 'proxy', 'replay', 'serve'] },
    'Authorised users of the service. With two or more, checks between users run too.',
    {
      serve: { text: 'Authorised users. Without any, those in HYDRAUTH_USERS, or a few built-in ones.' },
      proxy: { text: 'The user to log in as.' },
    },
  ],
  'users-file': [
    { value: 'F', in: ['check', 'proxy', 'replay', 'serve'] },
    'More users from a file, one ID:PARAPHRASE a line. Without --user and --users-file they come from the environment variable HYDRAUTH_USERS.',
  ],
  clock: [
    { key: 'clock', value: 'C', default: 'none', in: ['check', 'replay'] },
    'How to move the clock of the service: the http(s) URL of a clock, faketime:FILE, exec:COMMAND, wait, or none. Without one expiry is untested.',
  ],
  spec: [
    {
      key: 'spec',
      value: 'FILE',
      in: [...judging, ...seeing, 'serve', 'demo', 'self-test', 'requirements', 'explain', 'export', 'replay'],
    },
    'Another profile of the protocol: an OpenAPI document, or an overlay that changes the built-in one (see hydrauth export overlay).',
  ],
  engine: [
    { key: 'engine', value: 'E', allowed: ['all', 'laws', 'postman'], default: 'all', in: ['check', 'self-test'] },
    'Which engine runs the checks: the built-in laws, the Postman collection, or both.',
  ],
  auth: [
    { key: 'auth', value: 'A', allowed: ['on', 'off'], default: 'on', in: ['check', 'serve'] },
    'Whether the service has authentication switched on.',
    { serve: { text: 'Authentication for all requests.' } },
  ],
  driver: [
    { in: ['check-client'] },
    'Start the command once and ask it in JSON lines over standard input and output. This also tests concurrent requests and POST.',
  ],
  only: [
    { key: 'only', value: 'ID', many: true, in: [...judging, 'self-test'] },
    'Judge only these requirements, by id or by the beginning of ids.',
    { 'self-test': { text: 'Only these faults and variants.' } },
  ],
  'last-failed': [
    { value: 'REPORT', optional: true, in: ['check'] },
    'Judge only what failed, warned or was flaky in this JSON report, by default the one at --json; everything, if nothing was.',
  ],
  watch: [
    { value: 'PATH|URL', many: true, optional: true, in: ['check'] },
    'Run again when one of these files, folders or addresses changes; without any, when the service was down and is up again. Ctrl-C ends with the exit code of the last run.',
  ],
  skip: [{ key: 'skip', value: 'ID', many: true, in: judging }, 'Do not judge these requirements. Every report lists them as skipped.'],
  runs: [{ key: 'runs', value: 'N', whole: [1, 1_000_000], default: 10, in: ['check', 'self-test'] }, 'Random cases per property.'],
  strength: [
    { key: 'strength', value: 'N', whole: [2, 3], default: 2, in: ['check'] },
    'Combine request variations (method, headers, credentials and so on) in all pairs (2) or all triples (3). Triples send three times as many requests.',
  ],
  seed: [
    { key: 'seed', value: 'N', whole: [-(2 ** 31), 2 ** 31 - 1], in: ['check', 'self-test', 'fleet'] },
    'Seed of the random cases; the report names the one that was used.',
    { 'self-test': { text: 'Seed of the random cases and of the pairs that are drawn.', default: 1 } },
  ],
  timeout: [
    { key: 'timeoutMs', value: 'MS', whole: [1, 3_600_000], default: 10_000, in: ['check', 'check-client', 'replay'] },
    'How long to wait for one answer, in milliseconds.',
    { 'check-client': { text: 'How long the client may take for one scenario, in milliseconds; then it is ended.' } },
  ],
  jobs: [{ key: 'jobs', value: 'N', whole: [1, 64], in: ['check-client'] }, 'How many scenarios run at once. Default: one per processor.'],
  'fleet-jobs': [{ flag: 'jobs', value: 'N', whole: [1, 64], in: ['fleet', 'work'] }, 'Services at once. Default: one per processor.'],
  'fleet-only': [{ flag: 'only', value: 'NAME|TAG', many: true, in: ['fleet'] }, 'Judge only services with one of these names or tags.'],
  shard: [{ value: 'I/N', in: ['fleet'] }, 'Judge only part I of N, such as 2/3; give all the same --seed and --history, and merge them.'],
  history: [{ value: 'DIR', in: ['fleet', 'merge'] }, 'Compare with earlier runs in this folder, and keep this one if it is whole.'],
  'fail-on': [
    { value: 'W', allowed: ['violation', 'regression'], default: 'violation', in: ['fleet', 'merge'] },
    'With regression, only what got worse since the last run in --history fails: a new violation, a MUST no longer tested, a lost verdict.',
  ],
  queue: [{ value: 'URL', in: ['fleet', 'work'] }, 'A queue in Redis (redis://HOST:PORT): fleet fills it, and workers empty it.'],
  subject: [{ value: 'NAME@sha256:HEX', many: true, in: ['attest'] }, 'What was judged, with its digest: an image, a package, a file.'],
  'pass-env': [
    { key: 'passEnv', value: 'NAME', many: true, in: ['check-client'] },
    'Pass this environment variable to the client. By default it gets only PATH, HOME and the like.',
  ],
  concurrency: [
    { key: 'concurrency', value: 'N', whole: [1, 1000], default: 16, in: ['check'] },
    'The most requests at a time. More than 16 are used only for a distant server, fewer for one that keeps connections waiting.',
  ],
  rate: [
    { key: 'rate', value: 'N', whole: [1, 100_000], in: ['check'] },
    'The most requests per second. After a 429 the run slows down by itself.',
  ],
  budget: [
    { key: 'budget', value: 'N', in: ['check'] },
    'The most requests in total (800), or the longest time (90s, 5m). The most important checks run first; the report lists what was left out, and with --strict a run that left out cases fails.',
  ],
  bail: [
    { key: 'bail', value: 'N', whole: [1, 1000], optional: true, bare: 1, in: ['check'] },
    'End the run when N violated MUST requirements were found (without N, one), and report what was found by then.',
  ],
  tolerance: [
    { key: 'toleranceMs', value: 'MS', whole: [0, 600_000], default: 1000, in: ['runConformance'] },
    'Within so many milliseconds of its expiry, a token is not judged.',
  ],
  baseline: [
    { key: 'baseline', value: 'F', in: [...judging, ...seeing] },
    'Known failures, a JSON array of {"requirement": ID, "reason": TEXT}; they do not fail the run. "until": "2030-12-31" makes an entry expire, and "owner" says who will fix it.',
  ],
  strict: [
    { key: 'strict', in: [...judging, ...seeing] },
    'A violated SHOULD, a flaky requirement, an untested MUST and cases that --budget left out fail the run too.',
    { watch: { text: strictSeeing }, judge: { text: strictSeeing }, proxy: { text: strictSeeing } },
  ],
  'write-baseline': [
    { value: 'F', in: [...judging, ...seeing, 'demo'] },
    'Write an entry for every failure to this file. Existing reasons are kept; write the others yourself.',
  ],
  port: [
    { key: 'port', value: 'N', whole: [0, 65_535], default: 0, in: ['watch', 'proxy', 'serve'] },
    'Port to listen on; 0 takes a free one.',
  ],
  host: [{ key: 'host', value: 'H', default: '127.0.0.1', in: ['watch', 'serve'] }, 'Address to listen on.'],
  'base-path': [{ key: 'basePath', value: 'P', default: '/api', in: ['serve'] }, 'Path of the base URL.'],
  tokens: [
    { key: 'tokens', value: 'T', allowed: ['on', 'off'], default: 'on', in: ['serve'] },
    'Whether logins give tokens (Step B). Needs --auth on.',
  ],
  'server-clock': [
    { flag: 'clock', key: 'clock', value: 'C', allowed: ['system', 'manual'], default: 'system', in: ['serve'] },
    'With manual, a second listener on loopback moves the clock of the server.',
  ],
  store: [{ key: 'store', value: 'S', default: 'memory', in: ['serve'] }, 'Where nonces and tokens are kept: memory, or a redis:// URL.'],
  fault: [
    { key: 'faults', value: 'ID', many: true, in: fixtures },
    'Faults to build into the server, by id; several add up. hydrauth faults lists them.',
  ],
  variant: [
    { key: 'variants', value: 'ID', many: true, in: fixtures },
    'Let the server differ where the protocol allows it, by id; hydrauth variants lists them. Variants are applied before faults, each in the order given.',
  ],
  control: [
    { in: ['serve'] },
    'Open a second listener on loopback, through which a test in any language can inspect and control the server. hydrauth export control describes it.',
  ],
  page: [{ in: ['serve'] }, 'Serve a live page there that shows every request. Includes --control.'],
  open: [{ in: ['serve'] }, 'Open the page in a browser. Includes --page.'],
  log: [
    { value: 'FORM', allowed: ['text', 'json', 'off'], in: ['serve'] },
    'Print every request and answer as a line of text or JSON. The default is text on a terminal without --json, and off elsewhere.',
  ],
  'exit-with-parent': [{ in: ['serve'] }, 'End when standard input closes, so that the server ends with the process that started it.'],
  'json-line': [
    { flag: 'json', in: ['serve'] },
    'Print one line of JSON as soon as connections are accepted, with url, clock, collections and users; with --control also control and controlToken, with --page also page.',
  ],
  judge: [{ in: ['proxy'] }, 'Judge the traffic, and print and write reports at the end.'],
  'proxy-json': [
    { flag: 'json', value: 'F', optional: true, in: ['proxy'] },
    'Print one line of JSON with url and target as soon as connections are accepted. With F and --judge also write the report to that file.',
  ],
  curl: [{ in: ['replay'] }, 'Print the curl scripts that repeat the failures by hand, and run nothing.'],
  'run-recorded-command': [
    { in: ['replay'] },
    'Start the client with the command in the report. A report from somebody else can contain any command; read it first.',
  ],
  role: [{ value: 'R', allowed: ['server', 'client'], in: ['requirements'] }, 'Only rows of servers, or of clients.'],
  level: [{ value: 'L', many: true, allowed: ['MUST', 'SHOULD', 'OPEN'], in: ['requirements'] }, 'Only rows of these levels.'],
  step: [
    {
      value: 'S',
      many: true,
      in: ['requirements'],
      allowed: ['headers', 'challenge', 'exchange', 'token', 'expiry', 'protection', 'jsonld', 'errors', 'off', 'config', 'client'],
    },
    'Only rows of these steps.',
  ],
  id: [{ value: 'ID', many: true, in: ['requirements'] }, 'Only these rows.'],
  'as-json': [{ flag: 'json', in: ['requirements'] }, 'As JSON, with hints, answers and what checks each row.'],
  list: [{ in: ['self-test'] }, 'Name every fault and variant with its sentence, and run nothing.'],
  pairs: [
    { value: 'N', whole: [1, 100_000], in: ['self-test'] },
    'Test so many random pairs (two faults, or a fault and a variant) instead of single ones. The report of a pair must name exactly what both violate. With --only, every pair contains one of these.',
  ],
  workers: [{ value: 'N', whole: [1, 64], in: ['self-test'] }, 'How many processes share the work. Default: one per processor.'],
  quick: [
    { in: ['self-test'], not: ['engine', 'runs'] },
    'Run only the checks of the requirements that each fault violates, without Postman. For every commit.',
  ],
  recorded: [{ in: ['self-test'] }, 'Record every run, judge the recording again, and fail where an outcome differs.'],
  golden: [
    { value: 'F', in: ['self-test'] },
    'Compare what failed and what stayed untested with this file, print the differences, and end with 1 if there are any.',
  ],
  'write-golden': [{ value: 'F', in: ['self-test'] }, 'Write that file: one line of JSON for each server.'],
  'matrix-json': [{ flag: 'json', value: 'F', in: ['self-test'] }, 'Write the matrix as JSON.'],
  format: [{ value: 'F', allowed: ['markdown', 'html'], default: 'markdown', in: ['compare'] }, 'What to print.'],
  'fail-on-worse': [{ in: ['compare'] }, 'End with 1 when a requirement came out worse in a later report than in the first.'],
  'comparison-json': [
    { flag: 'json', value: 'F', in: ['compare'] },
    'Write the comparison as JSON, with a list of what got worse; - is standard output.',
  ],
  output: [{ value: 'F', in: ['compare'] }, 'Write to this file instead of printing; a name that ends in .html makes it HTML.'],
  'output-folder': [
    { flag: 'output', value: 'DIR', in: ['export'] },
    'Where to write the collection for Bruno, which is a folder of files.',
  ],
  'run-folder': [{ flag: 'output', value: 'DIR', in: ['fleet', 'merge'] }, 'Folder for the run; it replaces an earlier run there.'],
  'nonce-header': [{ value: 'NAME', in: ['export'] }, 'Print an overlay in which the nonce is sent in this header.'],
  'token-header': [{ value: 'NAME', in: ['export'] }, 'Print an overlay in which the token is sent in this header.'],
  lifetime: [{ value: 'PT…', in: ['export'] }, 'Print an overlay in which a token is valid for this long, such as PT30M.'],
  realm: [{ value: 'TEXT', in: ['export'] }, 'Print an overlay with this realm.'],
  'media-type': [{ value: 'TYPE', in: ['export'] }, 'Print an overlay with this media type.'],
  'base-url': [{ key: 'baseUrl', value: 'URL', in: ['judge'] }, 'The base URL of the service, where the traffic does not show it.'],
  record: [
    { key: 'record', value: 'FILE', in: [...judging, 'proxy', 'demo'] },
    'Write every request and answer to this HAR file, with stand-ins for all secrets. hydrauth judge judges it again.',
  ],
  verbose: [{ in: writing }, 'Print every requirement, all exchanges, curl scripts and observations.'],
  json: [{ value: 'F', in: inJson }, 'Write the report as JSON; - is standard output, for every format.'],
  junit: [{ value: 'F', in: writing }, 'Write it as JUnit XML.'],
  earl: [{ value: 'F', in: writing }, 'Write it as EARL in JSON-LD.'],
  html: [{ value: 'F', in: writing }, 'Write it as one HTML page.'],
  markdown: [{ value: 'F', in: writing }, 'Write it as Markdown.'],
  header: [
    { key: 'headers', value: 'NAME:VALUE', many: true, in: ['check', 'replay'] },
    'Headers for every request, such as a gateway needs. The headers of the protocol are not allowed here.',
  ],
  ca: [{ key: 'ca', value: 'F', not: ['insecure'], in: ['check', 'watch', 'proxy', 'replay'] }, 'Trust the certificates in this PEM file.'],
  insecure: [{ key: 'insecure', in: ['check', 'watch', 'proxy', 'replay'] }, 'Do not verify the certificate of the service.'],
  config: [{ value: 'F', in: ['check'] }, 'Take options from a JSON file. Options on the command line win.'],
} as const satisfies Readonly<Record<string, OptionRow>>;

/** The options of a place, in the order of the table. */
export function optionsIn(place: Place): Option[] {
  return Object.entries<OptionRow>(optionTable)
    .filter(([, [form]]) => form.in.includes(place))
    .map(([name, [{ flag = name, in: _, ...form }, text, but]]) => ({ name: flag, text, ...form, ...but?.[place] }));
}

/** The formats in which a report is written. */
export const reportFormats = ['json', 'junit', 'earl', 'html', 'markdown'] as const;
