// A client as check-client --driver asks it: one JSON object a line, one answer a line. Its argument makes it odd in one way.
import { createInterface } from 'node:readline';

const [oddity] = process.argv.slice(2);
let service = { url: '', basic: '', token: undefined };
const forget = ({ url, user, paraphrase }) => {
  service = { url, basic: `Basic ${Buffer.from(`${user}:${paraphrase}`).toString('base64')}`, token: undefined };
  return {};
};

async function read({ url, method = 'GET', body, headers = {} }) {
  if (oddity === 'reads only' && method !== 'GET') return { error: 'unsupported' };
  const send = (more) => fetch(url, { method, body, headers: { ...headers, ...more }, redirect: 'manual' });
  if (new URL(url).origin !== new URL(service.url).origin) return { status: (await send({})).status };
  let answer = await send(service.token === undefined ? {} : { 'X-Authorization': service.token });
  for (let tries = 0; answer.status === 401 && tries < 2; tries += 1) {
    answer = await send({ 'X-Authentication': answer.headers.get('x-authentication') ?? '', Authorization: service.basic });
    const token = answer.headers.get('x-authorization') ?? undefined;
    if (token === undefined) continue;
    service.token = token;
    answer = await send({ 'X-Authorization': token });
  }
  return answer.status === 401 ? { error: 'refused' } : { status: answer.status };
}

const ops = { forget, read, parallel: async ({ reads }) => ({ results: await Promise.all(reads.map(read)) }) };
if (oddity === 'dies') process.exit(7);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, ...rest } = JSON.parse(line);
  if (oddity === 'is silent') continue;
  if (oddity === 'chats') console.log('about to answer');
  const answer = oddity === 'answers nonsense' ? { status: 'fine' } : await ops[op](rest);
  console.log(JSON.stringify({ id, ...answer }));
}
