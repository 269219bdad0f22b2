// A client as check-client starts it, once a scenario or with --driver as one process that answers in JSON lines. Its argument makes it odd in one way.
import { createInterface } from 'node:readline';

const [oddity] = process.argv.slice(2);
const { HYDRAUTH_DRIVER, HYDRAUTH_URL, HYDRAUTH_USER, HYDRAUTH_PARAPHRASE, HYDRAUTH_READS = '' } = process.env;
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

async function readAll() {
  forget({ url: HYDRAUTH_URL, user: HYDRAUTH_USER, paraphrase: HYDRAUTH_PARAPHRASE });
  for (const url of HYDRAUTH_READS.split('\n')) if ((await read({ url })).status !== 200) process.exitCode = 1;
}

async function answerLines() {
  const ops = { forget, read, parallel: async ({ reads }) => ({ results: await Promise.all(reads.map(read)) }) };
  if (oddity === 'dies') process.exit(7);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, op, ...rest } = JSON.parse(line);
    if (oddity === 'is silent') continue;
    if (oddity === 'chats') console.log('about to answer');
    const answer = oddity === 'answers nonsense' ? { status: 'fine' } : await ops[op](rest);
    console.log(JSON.stringify({ id, ...answer }));
  }
}

await (HYDRAUTH_DRIVER === '1' ? answerLines() : readAll());
