import { allow, type OptionCheck } from '../../spec/index.js';
import { isManual } from '../parts/index.js';
import type { User } from '../users.js';
import { bodyOf, numberIn } from './call.js';
import { Refusal } from './refusal.js';
import { type Controlled, type Routes, reply } from './route.js';

const integer: OptionCheck = ['an integer', Number.isSafeInteger];
const text = allow.text('a text');

function time({ server: { clock } }: Controlled) {
  return reply({ now: new Date(clock.now()).toISOString() });
}

export const stateRoutes: Routes = {
  'GET /clock': (_, controlled) => time(controlled),
  'POST /clock': async (call, controlled) => {
    const { clock } = controlled.server;
    const { advanceMs } = await bodyOf<{ advanceMs: number }>(call, { advanceMs: allow.whole(0, Number.MAX_SAFE_INTEGER) });
    if (advanceMs === undefined) throw new Refusal('badRequest', 'advanceMs is missing; a body such as {"advanceMs": 60000} is allowed');
    if (!isManual(clock)) throw new Refusal('conflict', 'the clock is that of the system; one that can be moved needs --clock manual');
    clock.advance({ ms: advanceMs });
    controlled.changed();
    return time(controlled);
  },
  'GET /state': async (_, { server }) => reply(await server.state()),
  'POST /reset': async (_, { server }) => reply(await server.reset()),
  'GET /users': (_, { server }) => reply(server.users),
  'POST /users': async (call, { server }) => reply(await server.addUser((await bodyOf(call, { id: integer, paraphrase: text })) as User)),
  'DELETE /users/{id}': async ({ params }, { server }) => reply(await server.removeUser(numberIn(params['id'] as string) as number)),
  'POST /tokens': async (call, { server, recording }) => {
    const { user } = await bodyOf<{ user: number }>(call, { user: integer });
    const token = await server.issueToken(user);
    const { number, record } = recording.ledger.token(token) ?? {};
    return reply({ number, token, user: record?.user });
  },
  'POST /tokens/expire': async (call, { server }) => reply(await server.expire(await valueIn(call, 'token'))),
  'POST /nonces/expire': async (call, { server }) => reply(await server.expire(await valueIn(call, 'nonce'))),
  'POST /tokens/{number}/expire': async ({ params }, { server }) => reply(await server.expire({ token: Number(params['number']) })),
  'POST /nonces/{number}/expire': async ({ params }, { server }) => reply(await server.expire({ nonce: Number(params['number']) })),
};

async function valueIn(call: Parameters<typeof bodyOf>[0], name: string): Promise<string> {
  const value = (await bodyOf<Record<string, string>>(call, { [name]: text }))[name];
  if (value === undefined) throw new Refusal('badRequest', `${name} is missing; a body such as {"${name}": "…"} is allowed`);
  return value;
}
