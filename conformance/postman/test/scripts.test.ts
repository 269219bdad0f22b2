import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { postmanCollection } from '../index.js';
import type { Pm } from '../sandbox/pm.js';

interface Item {
  readonly item?: readonly Item[];
  readonly event?: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];
  readonly request?: { readonly method: string };
}

type Answer = NonNullable<Pm['response']>;

const collection = postmanCollection(spec) as Item;
const requests = (collection.item ?? []).flatMap(({ item = [] }) => item);
const script = ({ event = [] }: Item, listen: string) =>
  event.flatMap((each) => (each.listen === listen ? each.script.exec : [])).join('\n');

function answer(code: number, headers: [string, string][] = [], body: string | Buffer = ''): Answer {
  return { code, headers: { all: () => headers.map(([key, value]) => ({ key, value })) }, stream: Buffer.from(body as string) };
}

/** Runs every script of the collection where, as in Postman, neither `URL` nor `TextDecoder` exists. Gives the tests by name, failed ones with their message. */
function play(respond: (method: string) => Answer): Map<string, string> {
  const told = new Map<string, string>();
  const store = (values: Map<string, string>) => ({
    get: (name: string) => values.get(name),
    set: (name: string, value: string) => void values.set(name, value),
  });
  const run = (name: string, body: () => void) => {
    try {
      body();
      told.set(name, 'pass');
    } catch (error) {
      told.set(name, (error as Error).message);
    }
  };
  const given = {
    base_url: 'http://api.example/api/',
    collection: 'books',
    user_id: '1',
    paraphrase: 'x',
    clock_url: 'http://clock.example/',
  };
  const variables = store(new Map(Object.entries(given)));
  const collectionVariables = store(new Map());
  for (const item of requests) {
    let skipped = false;
    const { method = 'GET' } = item.request ?? {};
    const pm = {
      variables,
      collectionVariables,
      request: { method, url: 'http://api.example/api/books', headers: { get: () => undefined } },
      execution: {
        skipRequest: () => {
          skipped = true;
        },
      },
      test: Object.assign(run, { skip: (name: string) => void told.set(name, 'skipped') }),
    };
    const context = createContext({ pm, require: createRequire(import.meta.url), Buffer });
    runInContext(script(collection, 'prerequest'), context);
    runInContext(`(() => {${script(item, 'prerequest')}\n})()`, context);
    if (skipped) continue;
    context['pm'] = { ...pm, response: respond(method) };
    runInContext(`(() => {${script(item, 'test')}\n})()`, context);
  }
  return told;
}

const { headers, challenge } = spec.protocol;

test.each<[string, Answer]>([
  ['nothing', { headers: { all: () => [] } }],
  ['a challenge without anything else', answer(401)],
  ['a challenge with an empty nonce', answer(401, [[headers.nonce, '']], JSON.stringify(challenge.body))],
  ['a nonce that names a variable', answer(401, [[headers.nonce, '{{paraphrase}}']], '{{$guid}}')],
  ['a nonce with everything', answer(200, [[headers.nonce, 'x']], '{"a":1}')],
  ['null', answer(200, [], 'null')],
  ['octets that are not UTF-8', answer(404, [[headers.token, '']], Buffer.from([0xff, 0xfe]))],
  [
    'odd headers',
    answer(
      401,
      [headers.link, headers.authenticate, headers.contentType, headers.date].map((name) => [name, '<";,=\\'] as [string, string]),
    ),
  ],
])('no script breaks when every answer is %s', (_, each) => {
  const told = [...play(() => each)];
  expect(told.length).toBeGreaterThan(50);
  expect(told.filter(([, message]) => message.startsWith('the check broke'))).toEqual([]);
});

test('a challenge that is as it must be passes in a bare sandbox', () => {
  const body = JSON.stringify(challenge.body);
  const told = play(() =>
    answer(
      challenge.status,
      [
        [headers.contentType, 'application/ld+json'],
        [headers.link, `<vocab>; rel="${spec.protocol.link.relation}"`],
        [headers.allowOrigin, '*'],
        [headers.contentLength, String(body.length)],
        [headers.date, 'Sun, 06 Nov 1994 08:49:37 GMT'],
        [headers.authenticate, challenge.authenticate],
        [headers.nonce, '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
      ],
      body,
    ),
  );
  const ofStepA = [...told].filter(([name]) => name.startsWith('challenge.') || name.endsWith('on the challenge'));
  expect(ofStepA.filter(([, message]) => message !== 'pass')).toEqual([
    ['challenge.nonce-newly-issued: the second nonce is another one', 'expected another nonce; got the same one again'],
  ]);
  expect(ofStepA.length).toBeGreaterThan(10);
});
