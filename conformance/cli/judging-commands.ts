import type { CommandData, Positional } from './command.js';

/** The exit codes of a run that ends with a verdict. */
export const verdictCodes = {
  0: 'Conformant.',
  1: 'A MUST is violated, or an entry of the baseline is stale; with --strict also a SHOULD violated, a flaky requirement or a MUST untested.',
  3: 'No verdict.',
  130: 'Interrupted.',
} as const;

/** Of what stands between a client and a service: a signal is how it ends, so that it is no interruption. */
const { 130: _, ...endedCodes } = { ...verdictCodes, 2: 'The call is wrong, or it cannot listen there.' };

const baseUrl: Positional = {
  name: 'base-url',
  text: 'The base URL of the service, for example http://localhost:8080/api.',
  like: /^https?:\/\//i,
};

/** The commands that judge a service, a client or their traffic. */
export const judgingCommands = {
  check: {
    summary: 'Judge the service at a base URL.',
    text: 'Runs every check against the service, using only its URL, and reports each requirement.',
    positionals: [
      {
        ...baseUrl,
        optional: true,
        text: 'Where the API begins, for example http://localhost:8080/api. It may stand in the file of --config.',
      },
    ],
    examples: {
      'hydrauth check http://localhost:8080/api --collection people --user 1:secret': 'Judge a service, without expiry.',
      'hydrauth check http://localhost:8080/api --collection people --clock faketime:offset.txt --html report.html':
        'Take users from HYDRAUTH_USERS, test expiry with libfaketime, and write an HTML report.',
      'hydrauth check http://localhost:8080/api --collection people --json report.json': 'Keep the report, for the next two.',
      'hydrauth check http://localhost:8080/api --collection people --json report.json --last-failed':
        'Judge again only what failed in report.json, after a fix.',
      'hydrauth check http://localhost:8080/api --collection people --json report.json --last-failed --watch src':
        'The same whenever a file in src changes.',
      'hydrauth check http://localhost:8080/api --collection people orders --user=-7:secret --only token.sufficient':
        'A value that begins with a dash follows an equals sign.',
    },
    exitCodes: {
      ...verdictCodes,
      3: 'No verdict: the service cannot be reached or the call does not fit it, no given user can log in and no violation explains it, the clock fails, the service does not follow it and violates nothing else, or too much stayed untested: more than a third of the MUSTs or, with a budget, what keeps requests without credentials out.',
    },
    run: async (...call) => (await import('./commands/judge.js')).check(...call),
  },
  'check-client': {
    summary: 'Judge a client.',
    text: [
      'Starts the command anew for each scenario, each time with another service, and reports each requirement.',
      'The command finds in its environment HYDRAUTH_URL (the base URL), HYDRAUTH_USER, HYDRAUTH_PARAPHRASE,',
      'HYDRAUTH_READS (addresses to read in this order, one a line) and HYDRAUTH_SCENARIO.',
      'It ends with exit code 0 when it read everything, and with another one when it could not.',
    ].join(' '),
    positionals: [
      {
        name: 'COMMAND',
        many: true,
        text: 'After --: the command that starts the client, run without a shell. {url} in it stands for the base URL.',
      },
    ],
    examples: {
      'hydrauth check-client -- python3 my_client.py': 'Judge a script, which takes everything from its environment.',
      'hydrauth check-client --html report.html -- ./my-client --base {url}': 'A client that takes the base URL as an argument.',
      'hydrauth check-client --driver -- node driver.js': 'Concurrent requests and bodies as well.',
    },
    exitCodes: {
      ...verdictCodes,
      3: 'No verdict: the command cannot be started, does not end, sends nothing to the service or cannot read one address, or more than a third of the MUSTs stayed untested.',
    },
    run: async (...call) => (await import('./commands/judge.js')).checkClient(...call),
  },
  watch: {
    summary: 'Judge a client while you use it, as a proxy in front of its service.',
    text: [
      'Listens as a proxy in front of a service and prints the address to give to the client in place of the base URL.',
      'On SIGINT (Ctrl-C) or SIGTERM it judges what it has seen. What was not exercised is untested.',
      'Watch one client at a time: the login of a second client would look as if the first had lost its token.',
    ].join(' '),
    positionals: [baseUrl],
    examples: { 'hydrauth watch http://localhost:8080/api --port 9000': 'Then use the client with http://127.0.0.1:9000/api.' },
    exitCodes: {
      ...endedCodes,
      0: 'Ended by a signal; conformant in what was seen.',
      3: 'No verdict: no login of the client worked, or more than a third of the MUSTs that a watch can see stayed untested.',
    },
    run: async (...call) => (await import('./commands/proxy.js')).between(...call),
  },
  proxy: {
    summary: 'Log in for tools that cannot, as a proxy in front of a service.',
    text: [
      'Listens on loopback and prints the address to use in place of the base URL. To every request it adds a token of the given user,',
      'and renews it before it expires or when it is refused. Without --user the user comes from HYDRAUTH_USERS. Ends on SIGINT (Ctrl-C) and SIGTERM.',
      'With --judge it then judges the traffic.',
    ].join(' '),
    positionals: [baseUrl],
    examples: {
      "HYDRAUTH_USERS='1:secret' hydrauth proxy http://localhost:8080/api --port 9000": 'Then: curl http://127.0.0.1:9000/api/people',
      'hydrauth proxy http://localhost:8080/api --user 1:secret --json': 'For a script: a free port, printed as JSON.',
      'hydrauth proxy http://localhost:8080/api --user 1:secret --judge --html report.html': 'Judge the traffic, too.',
    },
    exitCodes: {
      ...endedCodes,
      0: 'Ended by a signal; with --judge also: conformant.',
      1: `With --judge: ${verdictCodes[1].charAt(0).toLowerCase()}${verdictCodes[1].slice(1)}`,
      3: 'No login worked; with --judge also: the traffic leaves more than a third of the MUSTs untested.',
    },
    run: async (...call) => (await import('./commands/proxy.js')).proxy(...call),
  },
  judge: {
    summary: 'Judge recorded traffic: HAR files of any tool, or of --record.',
    text: [
      'Holds every exchange in the files against the protocol: what the service answered, and what its clients sent. No request is sent.',
      'What the traffic does not show is untested. A recording of hydrauth check is judged as the run was.',
    ].join(' '),
    positionals: [
      { name: 'file.har', many: true, text: 'HAR 1.2 files, such as browsers, Playwright and mitmproxy save.', like: /\.har$/i },
    ],
    examples: {
      'hydrauth judge traffic.har': 'Find the service in the traffic, and judge it and its clients.',
      'hydrauth judge monday.har tuesday.har --base-url https://api.example/v1 --html report.html': 'Several files, and a page.',
    },
    exitCodes: {
      ...verdictCodes,
      3: 'No verdict: the service is not in the files, or they leave more than a third of the MUSTs untested.',
    },
    run: async (...call) => (await import('./commands/judge.js')).judgeFiles(...call),
  },
  demo: {
    summary: 'Start a reference server with a manual clock and judge it.',
    text: 'The whole kit in one command.',
    examples: {
      'hydrauth demo': 'See a conformant server pass, expiry included.',
      'hydrauth demo --fault sliding link-missing-on-exchange': 'See what is told of a server with two faults.',
    },
    exitCodes: { ...verdictCodes, 1: 'A MUST is violated, as with most faults.' },
    run: async (...call) => (await import('./commands/judge.js')).demo(...call),
  },
} as const satisfies Readonly<Record<string, CommandData>>;
