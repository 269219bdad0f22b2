/**
 * Every option there is, once. The command line, its help, the configuration file, `docs/command-line.md`, the options of the library with
 * their types, their validation and their defaults are made from this table. It loads nothing, so that help comes at once.
 */
export type Place =
  | 'check'
  | 'check-client'
  | 'watch'
  | 'serve'
  | 'demo'
  | 'self-test'
  | 'requirements'
  | 'explain'
  | 'faults'
  | 'variants'
  | 'export'
  | 'report'
  | 'replay'
  | 'compare'
  // Not on the command line.
  | 'runConformance';

/** An option as one command takes it. */
export interface Option {
  /** Without the two dashes; the same in the configuration file. */
  readonly name: string;
  readonly text: string;
  /** The name of the value in the help; an option without one is a flag. */
  readonly value?: string;
  /** Takes several values: `--x a b`, `--x a --x b`. */
  readonly many?: true;
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

const judging = ['check', 'check-client', 'watch'] as const;
const writing = [...judging, 'demo', 'report', 'replay'] as const;
const fixtures = ['serve', 'demo'] as const;
const seeds = [-(2 ** 31), 2 ** 31 - 1] as const;

export const optionTable = {
  collection: [
    { key: 'collections', value: 'NAME', many: true, in: ['check', 'serve'] },
    'Collections of the service, by their names below the base URL. At least one.',
    { serve: { text: 'Collections to serve.' } },
  ],
  user: [
    { key: 'users', value: 'ID:PARAPHRASE', many: true, in: ['check', 'replay', 'serve'] },
    'Authorised users of the service. With two or more, checks between users run too.',
    { serve: { text: 'Authorised users. Without any, those in HYDRAUTH_USERS, or a few built-in ones.' } },
  ],
  'users-file': [
    { value: 'F', in: ['check', 'replay', 'serve'] },
    'More users from a file, one ID:PARAPHRASE a line. Without --user and --users-file they come from the environment variable HYDRAUTH_USERS.',
  ],
  clock: [
    { key: 'clock', value: 'C', default: 'none', in: ['check', 'replay'] },
    'How to move the clock of the service: the http(s) URL of a clock, faketime:FILE, exec:COMMAND, wait, or none. Without one expiry is untested.',
  ],
  spec: [
    { key: 'spec', value: 'FILE', in: [...judging, 'serve', 'demo', 'self-test', 'requirements', 'explain', 'export', 'replay'] },
    'Another profile of the protocol: an OpenAPI document, or an overlay that changes the built-in one (see hydrauth export overlay).',
  ],
  engine: [
    { key: 'engine', value: 'E', allowed: ['all', 'laws', 'postman'], default: 'all', in: ['check', 'self-test'] },
    'Which checks to run.',
  ],
  auth: [
    { key: 'auth', value: 'A', allowed: ['on', 'off'], default: 'on', in: ['check', 'serve'] },
    'Whether the service has authentication switched on.',
    { serve: { text: 'Authentication for all requests.' } },
  ],
  driver: [
    { in: ['check-client'] },
    'Start the command once and ask it in JSON lines over standard input and output. So it can also be asked for several requests at once and for a POST.',
  ],
  only: [
    { key: 'only', value: 'ID', many: true, in: [...judging, 'self-test'] },
    'Judge only these requirements: ids, or their beginnings.',
    { 'self-test': { text: 'Only these faults and variants.' } },
  ],
  'last-failed': [
    { in: ['check'] },
    'Judge only what failed or warned in the report that stands at --json; everything, where nothing did.',
  ],
  skip: [{ key: 'skip', value: 'ID', many: true, in: judging }, 'Leave these requirements out; every report lists and counts them.'],
  runs: [{ key: 'runs', value: 'N', whole: [1, 1_000_000], default: 10, in: ['check', 'self-test'] }, 'Random cases per property.'],
  strength: [
    { key: 'strength', value: 'N', whole: [2, 3], default: 2, in: ['check'] },
    'Try every pair (2) or every triple (3) of what a request can bring and the circumstances around it. Triples take three times the requests.',
  ],
  seed: [
    { key: 'seed', value: 'N', whole: seeds, in: ['check', 'self-test'] },
    'Seed of the random cases; the report names the one that was used.',
    { 'self-test': { text: 'Seed of the random cases and of the pairs that are drawn.', default: 1 } },
  ],
  timeout: [
    { key: 'timeoutMs', value: 'MS', whole: [1, 3_600_000], default: 10_000, in: ['check', 'check-client', 'replay'] },
    'How long to wait for one answer, in milliseconds.',
    { 'check-client': { text: 'How long the client may take for one scenario, in milliseconds; then it is ended.' } },
  ],
  jobs: [
    { key: 'jobs', value: 'N', whole: [1, 64], in: ['check-client'] },
    'How many scenarios at once. Default: as many as there are processors.',
  ],
  'pass-env': [
    { key: 'passEnv', value: 'NAME', many: true, in: ['check-client'] },
    'Give the client this variable of the environment, too. It has PATH, HOME and the like, and nothing else.',
  ],
  concurrency: [
    { key: 'concurrency', value: 'N', whole: [1, 1000], default: 16, in: ['check'] },
    'How many requests may be under way at once, at the most. More than 16 are sent only to a target that is far away, fewer to one that leaves connections waiting.',
  ],
  rate: [
    { key: 'rate', value: 'N', whole: [1, 100_000], in: ['check'] },
    'The most requests a second. A service that says "too many requests" is asked less often anyway.',
  ],
  budget: [
    { key: 'budget', value: 'N', in: ['check'] },
    'The most requests in all (800), or the most time (90s, 5m). The most telling part comes first; the report says what was left out.',
  ],
  tolerance: [
    { key: 'toleranceMs', value: 'MS', whole: [0, 600_000], default: 1000, in: ['runConformance'] },
    'How near to the instant of expiry nothing is judged, in milliseconds.',
  ],
  baseline: [
    { key: 'baseline', value: 'F', in: judging },
    'Known failures, a JSON array of {"requirement": ID, "reason": TEXT}; they do not fail the run. With "until": "2030-12-31" an entry ends, and "owner" says who mends it.',
  ],
  strict: [{ key: 'strict', in: judging }, 'A violated SHOULD and an untested MUST fail the run too.'],
  'write-baseline': [
    { value: 'F', in: [...judging, 'demo'] },
    'Write an entry for every failure to this file. Reasons that stand there are kept; say why in the others.',
  ],
  port: [{ key: 'port', value: 'N', whole: [0, 65_535], default: 0, in: ['watch', 'serve'] }, 'Port to listen on; 0 takes a free one.'],
  host: [{ key: 'host', value: 'H', default: '127.0.0.1', in: ['watch', 'serve'] }, 'Address to listen on.'],
  'base-path': [{ key: 'basePath', value: 'P', default: '/api', in: ['serve'] }, 'Path of the base URL.'],
  tokens: [{ key: 'tokens', value: 'T', allowed: ['on', 'off'], default: 'on', in: ['serve'] }, 'Token-based authorization within it.'],
  'server-clock': [
    { flag: 'clock', key: 'clock', value: 'C', allowed: ['system', 'manual'], default: 'system', in: ['serve'] },
    'With manual, a listener of its own on loopback moves the clock of the server.',
  ],
  store: [{ key: 'store', value: 'S', default: 'memory', in: ['serve'] }, 'Where nonces and tokens are kept: memory, or a redis:// URL.'],
  fault: [{ key: 'faults', value: 'ID', many: true, in: fixtures }, 'Break the server in these named things; several add up.'],
  variant: [
    { key: 'variants', value: 'ID', many: true, in: fixtures },
    'Let the server differ in these things that the protocol leaves open. Variants are applied before faults, each in the order given.',
  ],
  control: [
    { in: ['serve'] },
    'Open a second listener, on loopback, to see and control the server from a test in any language: hydrauth export control describes it.',
  ],
  page: [{ in: ['serve'] }, 'Serve a page there that shows what happens. Includes --control.'],
  open: [{ in: ['serve'] }, 'Open the page in a browser. Includes --page.'],
  log: [
    { value: 'FORM', allowed: ['text', 'json', 'off'], in: ['serve'] },
    'Print every exchange: a line of text, or of JSON as the control listener gives it. On a terminal text is the default, unless there is --json; elsewhere off is.',
  ],
  'exit-with-parent': [{ in: ['serve'] }, 'End when standard input ends, which it does with the process that holds its other end.'],
  'json-line': [
    { flag: 'json', in: ['serve'] },
    'Print one line of JSON as soon as connections are accepted, with url, clock, collections and users; with --control also control and controlToken, with --page also page.',
  ],
  curl: [{ in: ['replay'] }, 'Print the curl scripts that repeat the failures by hand, and run nothing.'],
  'run-recorded-command': [
    { in: ['replay'] },
    'Start the client with the command that the report names. A report from elsewhere can name any command; read it first.',
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
    'Instead of single ones, so many pairs of faults, or of a fault and a variant, that replace different functions of the server. Both must be told whole, and nothing else. The seed draws them; with --only each has one of these.',
  ],
  workers: [
    { value: 'N', whole: [1, 64], in: ['self-test'] },
    'How many processes share the work. Default: as many as there are processors.',
  ],
  quick: [
    { in: ['self-test'], not: ['engine', 'runs'] },
    'Try each server with the cases of the requirements that it violates only, by laws alone: for every commit.',
  ],
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
  'nonce-header': [{ value: 'NAME', in: ['export'] }, 'An overlay in which the nonce has this header.'],
  'token-header': [{ value: 'NAME', in: ['export'] }, 'One in which the token has this header.'],
  lifetime: [{ value: 'PT…', in: ['export'] }, 'One in which a token lives so long, such as PT30M.'],
  realm: [{ value: 'TEXT', in: ['export'] }, 'One with this realm.'],
  'media-type': [{ value: 'TYPE', in: ['export'] }, 'One with this media type.'],
  verbose: [{ in: writing }, 'Print every requirement, all exchanges, curl scripts and observations.'],
  json: [{ value: 'F', in: writing }, 'Write the report as JSON; - is standard output, for every format.'],
  junit: [{ value: 'F', in: writing }, 'Write it as JUnit XML.'],
  earl: [{ value: 'F', in: writing }, 'Write it as EARL in JSON-LD.'],
  html: [{ value: 'F', in: writing }, 'Write it as one HTML page.'],
  markdown: [{ value: 'F', in: writing }, 'Write it as Markdown.'],
  header: [
    { key: 'headers', value: 'NAME:VALUE', many: true, in: ['check', 'replay'] },
    'Header lines that every request carries, for a gateway before the service. Those of the protocol are refused.',
  ],
  ca: [{ key: 'ca', value: 'F', not: ['insecure'], in: ['check', 'watch', 'replay'] }, 'Trust the certificates in this PEM file.'],
  insecure: [{ key: 'insecure', in: ['check', 'watch', 'replay'] }, 'Do not verify the certificate of the service.'],
  config: [{ value: 'F', in: ['check'] }, 'Take options from a JSON file; the command line goes before it.'],
} as const satisfies Readonly<Record<string, OptionRow>>;

/** The options of a place, in the order of the table. */
export function optionsIn(place: Place): Option[] {
  return Object.entries<OptionRow>(optionTable)
    .filter(([, [form]]) => form.in.includes(place))
    .map(([name, [{ flag = name, in: _, ...form }, text, but]]) => ({ name: flag, text, ...form, ...but?.[place] }));
}

/** The formats in which a report is written. */
export const reportFormats = ['json', 'junit', 'earl', 'html', 'markdown'] as const;
