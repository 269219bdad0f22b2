import type { Spec } from '../../spec/index.js';
import { authorizationOf } from '../bench.js';

export interface RecordedAnswer {
  readonly status: number;
  /** Without the lines that every HTTP library writes, and without nonce and token. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** One answer of each step, to be repeated by another server. */
export type Answers = Readonly<Record<'challenge' | 'exchange' | 'use', RecordedAnswer>>;

const ownLines = ['date', 'content-length', 'connection', 'keep-alive'];

/** Takes the three steps at a server and records what it answers. */
export async function recordAnswers(url: string, spec: Spec): Promise<Answers> {
  const { nonce, token } = spec.protocol.headers;
  const take = async (headers: Record<string, string>) => {
    const response = await fetch(`${url}/books`, { headers });
    const { status, headers: came } = response;
    const lines = [...came].filter(([name]) => ![...ownLines, nonce.toLowerCase(), token.toLowerCase()].includes(name));
    return { came, answer: { status, lines, body: await response.text() } };
  };
  const challenge = await take({});
  const exchange = await take({ [nonce]: challenge.came.get(nonce) ?? '', Authorization: authorizationOf(spec) });
  const use = await take({ [token]: exchange.came.get(token) ?? '' });
  return { challenge: challenge.answer, exchange: exchange.answer, use: use.answer };
}
