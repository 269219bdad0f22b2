import { availableParallelism } from 'node:os';
import { CallError, command } from '../command.js';
import { interruptedCode } from '../judge.js';

export const work = command({
  name: 'work',
  summary: 'Judge the services that fleet --queue puts into a queue.',
  text: 'Runs until it is stopped; what it has not finished then goes to another worker. Users come from the environment and the files of the worker.',
  examples: [['hydrauth work --queue redis://localhost:6379', 'A worker; start as many as you like, on any machine.']],
  exitCodes: { 3: 'The queue cannot be reached.', 130: 'Stopped.' },
  async run(args, io) {
    const { work: judge } = await import('../../fleet/index.js');
    const queue = args.text('queue');
    if (queue === undefined) throw new CallError('--queue is missing: --queue redis://HOST:PORT names the queue');
    const tell = (line: string) => io.out(`${line}\n`);
    await judge(queue, args.number('jobs') ?? availableParallelism(), { folder: io.cwd, env: io.env }, tell, io.signal);
    return interruptedCode(io) ?? 0;
  },
});
