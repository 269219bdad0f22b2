import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spec } from '../../spec/index.js';
import { type Bench, checking, user } from '../bench.js';
import { cli, root, timeCommand } from '../build.js';
import { byTurns, figure, quotients, summarize } from '../figures.js';

/** Whole commands, start to end, against what people would run instead. */
export async function measureCommands(bench: Bench): Promise<void> {
  bench.log('commands');
  const server = await bench.start<{ url: string; clock: string }>('servers/reference.ts', { clock: 'manual' });
  const { url, clock } = server.ready;
  const folder = join(root, '.cache', 'bench');
  mkdirSync(folder, { recursive: true });
  const collection = join(folder, 'flow.postman_collection.json');
  writeFileSync(collection, JSON.stringify(oneFlow(url, bench.spec)));
  const check = checking(url, clock);
  const seconds = await byTurns(bench.rounds + 4, {
    newman: () => timeCommand([join(root, 'node_modules', 'newman', 'bin', 'newman.js'), 'run', collection]),
    laws: () => timeCommand([...check, '--engine', 'laws']),
    full: () => timeCommand(check),
    help: () => timeCommand([cli, '--help']),
    node: () => timeCommand(['-e', '0']),
  });
  const raw = Object.fromEntries(Object.entries(seconds).map(([name, each]) => [`${name}Seconds`, summarize(each)]));
  const add = (name: string, what: string, of: readonly number[], over: readonly number[], atMost: number) =>
    bench.figures.push(figure(name, what, quotients(of, over), { goal: { atMost }, raw }));
  add('fullLawsRunVsNewmanOneFlow', 'check --engine laws against newman with one flow', seconds.laws, seconds.newman, 1.5);
  add('fullRunVsNewmanOneFlow', 'check with both engines against newman with one flow', seconds.full, seconds.newman, 2.5);
  add('startUpVsBareNode', 'hydrauth --help against node -e 0', seconds.help, seconds.node, 1.3);
}

/** One happy flow for Newman, as somebody would click it together: three requests, a status test each. */
function oneFlow(url: string, { protocol }: Spec) {
  const { headers, challenge, exchange } = protocol;
  const keep = (variable: string, header: string) => `pm.collectionVariables.set('${variable}', pm.response.headers.get('${header}'));`;
  const item = (name: string, status: number, header: readonly (readonly [string, string])[], more: object = {}, script = '') => ({
    name,
    request: { method: 'GET', url: `${url}/books`, header: header.map(([key, value]) => ({ key, value })), ...more },
    event: [{ listen: 'test', script: { exec: [`pm.test('status', () => pm.response.to.have.status(${status}));`, script] } }],
  });
  const basic = [
    { key: 'username', value: user.id },
    { key: 'password', value: user.paraphrase },
  ];
  return {
    info: { name: 'One flow', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      item('A', challenge.status, [], {}, keep('nonce', headers.nonce)),
      item('B', exchange.status, [[headers.nonce, '{{nonce}}']], { auth: { type: 'basic', basic } }, keep('token', headers.token)),
      item('C', 200, [[headers.token, '{{token}}']]),
    ],
  };
}
