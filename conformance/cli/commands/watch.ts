import { CallError, command } from '../command.js';

export const watch = command({
  name: 'watch',
  summary: 'Judge a client while you use it, as a proxy in front of its service.',
  text: [
    'Listens as a proxy in front of a service and prints the address to give to the client in place of the base URL.',
    'On SIGINT (Ctrl-C) or SIGTERM it judges what it has seen. What was not exercised is untested.',
    'Watch one client at a time: the login of a second client would look as if the first had lost its token.',
  ].join(' '),
  positionals: [{ name: 'base-url', text: 'The base URL of the service, for example http://localhost:8080/api.', like: /^https?:\/\//i }],
  examples: [['hydrauth watch http://localhost:8080/api --port 9000', 'Then use the client with http://127.0.0.1:9000/api.']],
  exitCodes: {
    0: 'Ended by a signal; nothing that was seen violates a MUST.',
    1: 'A MUST was violated; with --strict also a SHOULD violated or a MUST not exercised.',
    2: 'The call is wrong, or it cannot listen there.',
    3: 'No verdict: nothing was seen that could be judged.',
  },
  async run(args, io) {
    const [{ watchClient }, { forPeople, tryToWrite }, { givenSpec }, { inTerminal, exitCodeAfterWriting }] = await Promise.all([
      import('../../client/index.js'),
      import('../files.js'),
      import('../given.js'),
      import('../judge.js'),
    ]);
    tryToWrite(args, io);
    const [baseUrl = ''] = args.positionals;
    const spec = await givenSpec(args, io);
    const watching = await watchClient({ ...args.options<Parameters<typeof watchClient>[0]>(), baseUrl, spec }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error;
        const [port, host] = [args.text('port'), args.text('host')];
        throw new CallError(`it cannot listen on port ${port} of ${host} (${error.code}); give another --port or --host`);
      },
    );
    const { out } = forPeople(args, io);
    out(`Watching ${baseUrl}. Give the client this base URL instead:\n${watching.url}\nEnd with Ctrl-C.\n`);
    if (!io.signal.aborted) await new Promise((done) => io.signal.addEventListener('abort', done, { once: true }));
    const report = await watching.end();
    out(`\n${await inTerminal(report, args, io)}`);
    return exitCodeAfterWriting(report, args, { ...io, signal: new AbortController().signal });
  },
});
