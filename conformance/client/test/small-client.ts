import type { Connect, Said } from '../index.js';

/** What a client may get wrong, one thing at a time. */
export interface Mistakes {
  readonly unasked?: true;
  readonly prefix?: string;
  readonly loginEach?: true;
  readonly follows?: 'with everything';
  readonly logs?: true;
  readonly forever?: true;
  readonly silent?: true;
  readonly quarrelsome?: true;
  /** No mistake: it says what it does. */
  readonly prints?: true;
}

/** A client in a few lines, which does everything right unless it is told otherwise. */
export function smallClient(mistakes: Mistakes = {}): Connect {
  return ({ url, user, paraphrase, print }) => {
    const basic = `Basic ${Buffer.from(`${user}:${paraphrase}`).toString('base64')}`;
    let token: string | undefined;
    return {
      async read({ url: address, method = 'GET', body, headers = {} }): Promise<Said> {
        if (mistakes.prints === true) print(`reads ${address}`);
        const isOwn = new URL(address).origin === new URL(url).origin;
        const send = async (more: Record<string, string>, at = address): Promise<Response> => {
          const answer = await fetch(at, {
            method,
            headers: { ...headers, ...more },
            redirect: 'manual',
            ...(body === undefined ? {} : { body }),
          });
          const location = answer.headers.get('location');
          return location !== null && mistakes.follows !== undefined ? send(more, location) : answer;
        };
        if (!isOwn) return { status: (await send({})).status };
        if (mistakes.loginEach === true) token = undefined;
        const useToken = () => send({ 'X-Authorization': `${mistakes.prefix ?? ''}${token}` });
        let answer = await (token !== undefined ? useToken() : send(mistakes.unasked === true ? { Authorization: basic } : {}));
        for (let tries = 0; answer.status === 401; tries += 1) {
          if (tries === 2 && mistakes.forever !== true) return { error: 'refused' };
          const nonce = answer.headers.get('x-authentication') ?? '';
          answer = await send({ 'X-Authentication': nonce, Authorization: basic });
          if (mistakes.logs === true) print(`sent ${basic}`);
          token = answer.headers.get('x-authorization') ?? undefined;
          if (answer.status !== 200 || token === undefined) continue;
          answer = await useToken();
        }
        if (mistakes.quarrelsome === true) return { error: 'network' };
        return { status: mistakes.silent === true ? 200 : answer.status };
      },
    };
  };
}
