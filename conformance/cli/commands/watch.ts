import { CallError, type Command, onlyGiven } from '../command.js';
import { givenSpec, specOption } from '../profile.js';
import { certificateOptions, reportOptions, verboseOption, verdictOptions } from '../shared-options.js';
import { tryToWrite } from '../try-to-write.js';

export const watch: Command = {
  name: 'watch',
  summary: 'Judge a client that nobody drives, between it and its service.',
  text: [
    'Listens as a proxy in front of a service and prints the address to give to the client in place of the base URL.',
    'On SIGINT (Ctrl-C) or SIGTERM it judges what it has seen. What was not exercised is untested.',
    'Watch one client at a time: a login of another one looks like a token that was thrown away.',
  ].join(' '),
  positionals: [{ name: 'base-url', text: 'The base URL of the service, for example http://localhost:8080/api.', like: /^https?:\/\//i }],
  options: [
    { name: 'port', value: 'N', whole: [0, 65_535], text: 'Port to listen on; 0 takes a free one.', default: '0' },
    { name: 'host', value: 'H', text: 'Address to listen on.', default: '127.0.0.1' },
    specOption,
    { name: 'only', value: 'ID', many: true, text: 'Judge only these requirements.' },
    { name: 'skip', value: 'ID', many: true, text: 'Leave these requirements out.' },
    ...verdictOptions,
    verboseOption,
    ...reportOptions,
    ...certificateOptions,
  ],
  examples: [{ line: 'hydrauth watch http://localhost:8080/api --port 9000', text: 'Then use the client with http://127.0.0.1:9000/api.' }],
  exitCodes: [
    { code: 0, text: 'Ended by a signal; nothing that was seen violates a MUST.' },
    { code: 1, text: 'A MUST was violated; with --strict also a SHOULD violated or a MUST not exercised.' },
    { code: 2, text: 'The call is wrong, or it cannot listen there.' },
    { code: 3, text: 'No verdict: nothing was seen that could be judged.' },
  ],
  async run(args, io) {
    const [{ watchClient }, { inTerminal, lookOf, exitCodeAfterWriting }] = await Promise.all([
      import('../../client/index.js'),
      import('../judge.js'),
    ]);
    tryToWrite(args, io, reportOptions);
    const options = {
      spec: await givenSpec(args, io),
      host: args.text('host'),
      port: args.number('port'),
      only: args.texts('only'),
      skip: args.texts('skip'),
      baseline: args.text('baseline'),
      strict: args.flag('strict'),
      ca: args.text('ca'),
      insecure: args.flag('insecure'),
    };
    const watching = await watchClient({ baseUrl: args.positionals[0] ?? '', ...onlyGiven(options) }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
          throw new CallError(`it cannot listen on port ${options.port} of ${options.host} (${error.code}); give another --port or --host`);
        throw error;
      },
    );
    io.out(`Watching ${args.positionals[0]}. Give the client this base URL instead:\n${watching.url}\nEnd with Ctrl-C.\n`);
    if (!io.signal.aborted) await new Promise((done) => io.signal.addEventListener('abort', done, { once: true }));
    const report = await watching.end();
    io.out(`\n${await inTerminal(report, io, lookOf(args))}`);
    return exitCodeAfterWriting(report, args, { ...io, signal: new AbortController().signal });
  },
};
