import { expect, test } from 'vitest';
import { answer } from '../../test/messages.js';
import { ServedRecord } from '../served.js';

const members = ['/api/books/1', '/api/books/2'].map((id) => ({ '@id': id, 'schema:name': 'a book' }));
const document = { '@context': { schema: 'http://schema.org/' }, '@id': '/api/books', 'hydra:member': members };
const served = (body: object) => answer(200, [], JSON.stringify(body));
const refusal = (body: string) => answer(401, [], body);

function knowing(body: object, isVocabulary = false): ServedRecord {
  const record = new ServedRecord();
  record.note(served(body), isVocabulary);
  return record;
}

test.each([
  ['the document itself', JSON.stringify(document)],
  ['the document behind the challenge', `{"401":"Need credentials to authenticate"}${JSON.stringify(document)}`],
  ['the document with its slashes escaped', JSON.stringify(document).replaceAll('/', '\\/')],
  ['another document with the same members', JSON.stringify({ total: 2, members })],
])('is known again in a refusal: %s', (_, body) => {
  expect(knowing(document).isIn(refusal(body))).toBe(true);
});

test.each([
  ['the challenge', '{"401":"Need credentials to authenticate"}'],
  ['nothing', ''],
  ['the same context', JSON.stringify({ '@context': document['@context'], 401: 'Need credentials to authenticate' })],
  ['the name of one member, which the request may have named', '{"401":"Need credentials for \\"/api/books/1\\""}'],
])('is not seen in %s', (_, body) => {
  expect(knowing(document).isIn(refusal(body))).toBe(false);
});

test('what is served may hold it', () => {
  expect(knowing(document).isIn(served(document))).toBe(false);
});

test('the terms of a vocabulary may stand anywhere, the whole of it not', () => {
  const record = knowing(document, true);
  expect(record.isIn(refusal(JSON.stringify(members)))).toBe(false);
  expect(record.isIn(refusal(JSON.stringify(document)))).toBe(true);
});

test('a short document may stand in a refusal by chance', () => {
  expect(knowing({ a: 1 }).isIn(refusal('{"a":1}'))).toBe(false);
});
