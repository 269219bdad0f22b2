import type { Spec } from '../spec/index.js';
import { fetchRaw } from './load/raw.js';

export interface RecordedAnswer {
  readonly status: number;
  /** Without the lines that every HTTP library writes, and without nonce and token. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** One answer of each step, to be repeated by another server. */
export interface Answers {
  readonly challenge: RecordedAnswer;
  readonly exchange: RecordedAnswer;
  readonly use: RecordedAnswer;
}

/** What the servers give to those who may read; as much as a collection of the reference server has. */
export const collectionDocument = {
  '@context': { hydra: 'http://www.w3.org/ns/hydra/core#', schema: 'http://schema.org/' },
  '@id': '/api/books',
  '@type': 'hydra:Collection',
  'hydra:member': [1, 2, 3, 4, 5].map((number) => ({
    '@id': `/api/books/${number}`,
    '@type': 'schema:Book',
    'schema:name': `Book ${number}`,
  })),
};

const ownLines = ['date', 'content-length', 'connection', 'keep-alive'];

/** Takes the three steps at a server and records what it answers. */
export async function recordAnswers(url: string, authorization: string, { protocol }: Spec): Promise<Answers> {
  const { nonce, token } = protocol.headers;
  const record = async (headers: Record<string, string>) => {
    const { status, headers: lines, body } = await fetchRaw(`${url}/books`, headers);
    const kept = lines.filter(([name]) => ![...ownLines, nonce.toLowerCase(), token.toLowerCase()].includes(name.toLowerCase()));
    const value = (name: string) => lines.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? '';
    return { answer: { status, lines: kept, body }, value };
  };
  const challenge = await record({});
  const exchange = await record({ [nonce]: challenge.value(nonce), Authorization: authorization });
  const use = await record({ [token]: exchange.value(token) });
  return { challenge: challenge.answer, exchange: exchange.answer, use: use.answer };
}
