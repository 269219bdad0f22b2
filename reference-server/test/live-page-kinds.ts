import { spec } from '../../spec/index.js';
import { type Opened, user } from './live-page.js';
import { basic } from './support.js';

const { headers } = spec.protocol;
const right = basic(user.id, user.paraphrase);

/** One exchange of every kind that the page can tell apart. */
export async function everyKind({ ask, server }: Opened): Promise<void> {
  const nonce = async () => (await ask('/books')).headers.get(headers.nonce) as string;
  const login = (given: string, credentials: string) => ask('/books', { [headers.nonce]: given, [headers.authorization]: credentials });
  const advance = (ms: number) => fetch(`${server.clockUrl}`, { method: 'POST', body: JSON.stringify({ advanceMs: ms }) });
  const first = await nonce();
  const token = (await login(first, right)).headers.get(headers.token) as string;
  await login(first, right);
  await login(crypto.randomUUID(), right);
  await login(await nonce(), basic(user.id, 'wrong'));
  await login(await nonce(), basic(999, user.paraphrase));
  await login(await nonce(), 'Basic %');
  const ended = await nonce();
  await server.expire(ended);
  await login(ended, right);
  await advance(60_000);
  await ask('/books?page=1', { [headers.token]: token, Accept: "text/it's" });
  await fetch(`${server.url}/people`, { method: 'HEAD', headers: { [headers.token]: token } });
  await ask('/nothing-here', { [headers.token]: token });
  await server.faults.use('challenge-403', { next: 1 });
  await ask('/books');
  await server.expire(token);
  await ask('/books', { [headers.token]: token });
  const old = await server.issueToken(user.id);
  await advance(spec.protocol.token.lifetimeMs + 1);
  await ask('/books', { [headers.token]: old });
  await ask('/books', { [headers.token]: 'f00' });
}
