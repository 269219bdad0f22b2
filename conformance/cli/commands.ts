import { commandNames, optionsIn } from '../option-table.js';
import type { Command, CommandData, Positional } from './command.js';
import { judgingCommands, verdictCodes } from './judging-commands.js';

const fleetCodes = {
  ...verdictCodes,
  0: 'Every service is conformant.',
  1: 'A service violates a MUST, or fails for another reason that check names.',
  3: 'No service fails, but one has no verdict.',
};

const reportFile = (text: string): Positional => ({ name: 'report.json', text, like: /\.json$/i });

/** A command that lists the faults or the variants of the reference server. */
const listing = (kind: 'faults' | 'variants', summary: string, example: string): CommandData => ({
  summary,
  positionals: [
    {
      name: 'WORD',
      text: 'Only those whose id or description has a word that begins with this, or which are about this requirement.',
      optional: true,
    },
  ],
  examples: { [`hydrauth ${kind} ${example}`]: `Those about ${example}.` },
  exitCodes: { 0: 'Listed.', 2: 'The call is wrong, or nothing has such a word.' },
  run: async (...call) => (await import('./commands/look-up.js')).list(kind, ...call),
});

const table: Readonly<Record<(typeof commandNames)[number], CommandData>> = {
  ...judgingCommands,
  serve: {
    summary: 'Run the reference server.',
    text: 'Prints its address and, on a terminal, every request. Ends on SIGINT and SIGTERM, and together with the npx that started it.',
    examples: {
      'hydrauth serve --port 8080 --user 1:secret --collection people': 'A server to write a client against.',
      'hydrauth serve --port 0 --clock manual --json': 'A server for a script: free port, clock under control.',
      'hydrauth serve --clock manual --open': 'Watch what a client does.',
      'hydrauth serve --port 0 --clock manual --control --exit-with-parent --json':
        'A server for a test: controlled over HTTP, and ended with the test.',
    },
    exitCodes: { 0: 'Ended by a signal.', 2: 'The call is wrong, or it cannot listen there.', 3: 'Its store cannot be reached.' },
    run: async (...call) => (await import('./commands/serve.js')).serve(...call),
  },
  'self-test': {
    summary: 'Test the judge itself: run it against every fault and every variant.',
    text: 'Each fault must fail exactly the requirements it names, each variant none. Both engines judge together, as users run them.',
    examples: {
      'hydrauth self-test --json matrix.json': 'Print the matrix and keep it.',
      'hydrauth self-test --quick': 'Every fault and variant in a few minutes.',
      'hydrauth self-test --only sliding nonce-reusable': 'Try one fault and one variant.',
      'hydrauth self-test --pairs 20 --seed 7': 'Try servers with two faults, or a fault and a variant.',
    },
    exitCodes: {
      0: 'Every fault is caught and no variant is flagged.',
      1: 'A fault is missed or fails something else, or a variant is flagged, or a pair is not reported completely, or --golden differs.',
      3: 'The self-test could not run.',
      130: 'Interrupted.',
    },
    run: async (...call) => (await import('./commands/self-test.js')).selfTest(...call),
  },
  requirements: {
    summary: 'Show the catalogue: what the protocol requires and what it leaves open.',
    text: 'The rows of servers come first, then those of clients.',
    examples: {
      'hydrauth requirements --level MUST --step token expiry': 'What a server must do with tokens.',
      'hydrauth requirements --role client': 'What a client must do and should do.',
      'hydrauth requirements --level OPEN': 'What the protocol leaves open.',
    },
    exitCodes: { 0: 'Shown.' },
    run: async (...call) => (await import('./commands/look-up.js')).requirements(...call),
  },
  explain: {
    summary: 'Explain one requirement: what it says, how it is checked, and what breaks it.',
    positionals: [{ name: 'ID', text: 'A requirement or an open point, as reports and hydrauth requirements name it.' }],
    examples: { 'hydrauth explain expiry.not-sliding': 'What a report means by it.' },
    exitCodes: { 0: 'Shown.' },
    run: async (...call) => (await import('./commands/look-up.js')).explain(...call),
  },
  faults: listing('faults', 'List the ways in which the reference server can be broken.', 'nonce'),
  variants: listing('variants', 'List the ways in which a conformant server can differ.', 'router'),
  export: {
    summary: 'Print the protocol as a document for other tools.',
    positionals: [
      {
        name: 'document',
        allowed: ['postman', 'bruno', 'hurl', 'openapi', 'arazzo', 'overlay', 'control'],
        text: 'A collection that judges a server by itself, for Postman, Bruno or Hurl; the OpenAPI document, the three steps as an Arazzo workflow, an example of an overlay that makes a profile of the protocol, or the OpenAPI document of what serve --control offers.',
      },
    ],
    examples: {
      'hydrauth export postman > hydrauth.postman_collection.json': 'A collection for Postman and Newman.',
      'hydrauth export bruno --output hydrauth-bruno': 'The same collection as a folder that Bruno opens and bru runs.',
      'hydrauth export hurl > hydrauth.hurl': 'The same requests as a file for Hurl.',
      'hydrauth export openapi > openapi.yaml': 'The OpenAPI document; keep it beside the Arazzo one, which refers to it.',
      'hydrauth export overlay > profile.yaml': 'A profile to begin with: every literal in another form, with comments.',
      'hydrauth export overlay --nonce-header X-Nonce --lifetime PT30M > profile.yaml': 'A profile with other values of these literals.',
      'hydrauth export postman --spec profile.yaml > profile.json': 'The collection of a profile.',
    },
    exitCodes: { 0: 'Printed, or written.' },
    run: async (...call) => (await import('./commands/export.js')).exportDocument(...call),
  },
  report: {
    summary: 'Turn a report in JSON into the other formats.',
    text: 'Without a format it is printed as a run prints it.',
    positionals: [reportFile('A report written by check --json.')],
    examples: { 'hydrauth report report.json --html report.html --markdown report.md': 'A page and a comment from one run.' },
    exitCodes: {
      0: 'Written, whatever the verdict in it.',
      2: 'The call is wrong, the file is no report, or a format cannot be written.',
    },
    run: async (...call) => (await import('./commands/reports.js')).report(...call),
  },
  replay: {
    summary: 'Run the failures of a report again.',
    text: 'Repeats each recorded case against the same service; for a client, its scenarios. Reports contain no secrets, so give users with --user, --users-file or HYDRAUTH_USERS.',
    positionals: [
      reportFile('A report written by check --json or check-client --json.'),
      { name: 'CHECK', text: 'A check or requirement; without it, everything that failed.', optional: true },
    ],
    behind: 'The command that starts the client, for a report of check-client.',
    examples: {
      'hydrauth replay report.json exchange.token-unique': 'One failure again.',
      'hydrauth replay report.json --curl exchange.token-unique': 'The same by hand, with curl.',
      'hydrauth replay client.json -- python3 my_client.py': 'The failures of a client again.',
    },
    exitCodes: {
      ...verdictCodes,
      0: 'What failed no longer fails.',
      1: 'It fails again.',
      2: 'The call is wrong, or there is nothing to replay.',
    },
    run: async (...call) => (await import('./commands/replay.js')).replay(...call),
  },
  compare: {
    summary: 'Set the reports of several services side by side.',
    positionals: [{ name: 'report.json', text: 'Reports written by check --json.', many: true }],
    examples: {
      'hydrauth compare a.json b.json --output matrix.html': 'Two services as one page.',
      'hydrauth compare before.json after.json --fail-on-worse': 'Fail when something got worse.',
    },
    exitCodes: {
      0: 'Written.',
      1: 'With --fail-on-worse: a requirement came out worse than in the first report, or a later report has no verdict.',
      2: 'The call is wrong, or a file is no report.',
    },
    run: async (...call) => (await import('./commands/reports.js')).compare(...call),
  },
  fleet: {
    summary: 'Judge every service that a file lists.',
    text: 'Writes a folder: a report and a badge for each service, and an overview as JSON, HTML, Markdown, JUnit and CTRF.',
    positionals: [{ name: 'file', text: 'Services and their options, in YAML or JSON.', like: /\.(ya?ml|json)$/i }],
    examples: {
      'hydrauth fleet fleet.yaml --output run': 'Judge all services and write the folder run.',
      'hydrauth fleet fleet.yaml --output run --only payments --jobs 4': 'Only those with the name or tag payments, four at once.',
      'hydrauth fleet fleet.yaml --output run --history runs --fail-on regression': 'Keep the run, and fail only when something got worse.',
      'hydrauth fleet fleet.yaml --output shard-2 --shard 2/3 --seed 7': 'The second of three parts, which merge joins.',
    },
    exitCodes: fleetCodes,
    run: async (...call) => (await import('./commands/fleet.js')).fleet(...call),
  },
  merge: {
    summary: 'Join the shards of a fleet run.',
    text: 'Writes the same folder as a run without shards.',
    positionals: [{ name: 'dir', text: 'Folders that fleet --shard wrote.', many: true }],
    examples: { 'hydrauth merge shard-1 shard-2 shard-3 --output run': 'Join three shards.' },
    exitCodes: fleetCodes,
    run: async (...call) => (await import('./commands/fleet.js')).merge(...call),
  },
  attest: {
    summary: 'State the result of a report for an artefact, to be signed.',
    text: 'Prints an in-toto statement with a test-result predicate.',
    positionals: [reportFile('A report written by check --json or fleet.')],
    examples: { 'hydrauth attest report.json --subject ghcr.io/me/api@sha256:9f86… > statement.json': 'The result for an image.' },
    exitCodes: { 0: 'Printed, whatever the result.', 2: 'The call is wrong, or the report has no verdict to attest.' },
    run: async (...call) => (await import('./commands/reports.js')).attest(...call),
  },
  work: {
    summary: 'Judge the services that fleet --queue puts into a queue.',
    text: 'Runs until it is stopped; what it has not finished then goes to another worker. Users come from the environment and the files of the worker.',
    examples: { 'hydrauth work --queue redis://localhost:6379': 'A worker; start as many as you like, on any machine.' },
    exitCodes: { 3: 'The queue cannot be reached.', 130: 'Stopped.' },
    run: async (...call) => (await import('./commands/fleet.js')).work(...call),
  },
};

/** Every command, in the order of the help. Each takes the options that their table has for it, and ends with 2 when the call is wrong. */
export const commands: readonly Command[] = commandNames.map((name) => {
  const { positionals = [], exitCodes, ...data } = table[name];
  return { ...data, name, positionals, options: optionsIn(name), exitCodes: { 2: 'The call is wrong.', ...exitCodes } };
});
