import { describeClientConformance } from 'hydrauth/vitest';

/** Logs in for every read, and puts a prefix before its token where it is told to. */
const connect =
  (prefix) =>
  ({ user, paraphrase }) => ({
    async read({ url }) {
      const send = (headers) => fetch(url, { headers, redirect: 'manual' });
      const basic = `Basic ${Buffer.from(`${user}:${paraphrase}`).toString('base64')}`;
      const challenge = await send({});
      const login = await send({ 'X-Authentication': challenge.headers.get('x-authentication') ?? '', Authorization: basic });
      return { status: (await send({ 'X-Authorization': prefix + login.headers.get('x-authorization') })).status };
    },
  });

const only = ['client.token-as-received', 'client.token-reused', 'client.renews-token'];

describeClientConformance({ name: 'a client', client: connect(''), only });

describeClientConformance({ name: 'a strict client', client: connect(''), only, strict: true });

describeClientConformance({ name: 'a broken client', client: connect('Bearer '), only });
