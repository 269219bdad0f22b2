import { type Bench, collections, users } from '../bench.js';
import { cli } from '../build.js';
import { interleave, quotients } from '../interleave.js';
import { notInstalled, type PeerTool, peerTools } from '../peers.js';
import { figure } from '../result.js';
import { summarize } from '../statistics.js';
import { timeCommand } from '../time-command.js';

/** The call of `check` that a user would write, with every requirement and the clock. */
function checkCall(url: string, clock: string, ...more: string[]): string[] {
  const given = users.flatMap(({ id, paraphrase }) => ['--user', `${id}:${paraphrase}`]);
  return [cli, 'check', url, ...collections.flatMap((name) => ['--collection', name]), ...given, '--clock', clock, ...more];
}

/** Whole commands, start to end, against what people would run instead. */
export async function measureCommands(bench: Bench): Promise<void> {
  const { results, rounds, options } = bench;
  bench.log('commands');
  const server = await bench.start<{ url: string; clock: string }>('servers/reference.ts', { clock: 'manual' });
  const { url, clock } = server.ready;
  const peers = peerTools(url, bench.spec);
  const newman = peers.find((peer) => peer.name === 'newman') as PeerTool;
  const oneFlow = newman.command?.(1) ?? [];
  const seconds = await interleave(rounds + 4, {
    newman: () => timeCommand(oneFlow),
    laws: () => timeCommand(checkCall(url, clock, '--engine', 'laws')),
    full: () => timeCommand(checkCall(url, clock)),
    help: () => timeCommand([cli, '--help']),
    node: () => timeCommand(['-e', '0']),
  });
  const raw = Object.fromEntries(Object.entries(seconds).map(([name, each]) => [`${name}Seconds`, summarize(each)]));
  const add = (name: string, what: string, of: readonly number[], over: readonly number[], atMost: number) =>
    results.figures.push(figure(name, what, quotients(of, over), { goal: { atMost }, raw }));
  add('fullLawsRunVsNewmanOneFlow', 'check --engine laws against newman with one flow', seconds.laws, seconds.newman, 1.5);
  add('fullRunVsNewmanOneFlow', 'check with both engines against newman with one flow', seconds.full, seconds.newman, 3);
  add('startUpVsBareNode', 'hydrauth --help against node -e 0', seconds.help, seconds.node, 2.5);
  await measurePeers(bench, peers, options.quick ? [1, 20] : [1, 200]);
}

async function measurePeers({ results, rounds, log }: Bench, peers: readonly PeerTool[], counts: readonly number[]): Promise<void> {
  for (const flows of counts) {
    log(`peers, ${flows} flow${flows === 1 ? '' : 's'}`);
    const what = `${flows} flow${flows === 1 ? '' : 's'} of the three steps`;
    const works = Object.fromEntries(
      peers.flatMap(({ name, command, env }) => {
        const words = command?.(flows);
        return words === undefined ? [] : [[name, () => timeCommand(words, env)]];
      }),
    );
    const seconds = await interleave(Math.ceil(rounds / 2), works);
    for (const { name } of peers) {
      const times = seconds[name];
      results.peers.push({ name, what, unit: 's', ...(times === undefined ? { skipped: notInstalled } : { summary: summarize(times) }) });
    }
  }
}
