import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { changeLiteral, loadSpec, spec } from '../../../spec/index.js';
import { postmanCollection, postmanCollectionText } from '../index.js';
import type { Sandboxed } from '../plan/index.js';

interface Item {
  id: string;
  name: string;
  item?: Item[];
  event?: { listen: string; script: { exec: string[] } }[];
  request?: { method: string; header: { key: string; value: string }[]; url: { raw: string } };
  protocolProfileBehavior?: { followRedirects: boolean; disableCookies: boolean };
}

const required = createRequire(import.meta.url);
const collection = postmanCollection(spec) as Item & { info: { schema: string } };
const usualText = postmanCollectionText(spec);
const requestsIn = (item: Item): Item[] => (item.request === undefined ? (item.item ?? []).flatMap(requestsIn) : [item]);
const requests = requestsIn(collection);
const script = ({ event = [] }: Item, listen: string) =>
  event.flatMap((each) => (each.listen === listen ? each.script.exec : [])).join('\n');
const rows = requests.map((item) => {
  const [, row = ''] = /\.before\(([\s\S]*)\);$/.exec(script(item, 'prerequest')) ?? [];
  return JSON.parse(row) as Sandboxed;
});
const tests = rows.flatMap(({ checks }) => checks.map(({ name }) => name));

describe('the collection', () => {
  test('is read back unchanged by the SDK of Postman', () => {
    const { Collection } = required('postman-collection') as { Collection: new (definition: object) => { toJSON(): object } };
    const shown = (items: Item[]) => items.map(({ id, name, request }) => [id, name, request?.method]);
    expect(shown(requestsIn(new Collection(collection).toJSON() as Item))).toEqual(shown(requests));
    expect(collection.info.schema).toContain('v2.1.0');
  });

  test('has a test for every row of the catalogue that names postman, and for no other', () => {
    const shown = [...new Set(tests.map((name) => name.split(':')[0]))].sort();
    const declared = spec.catalogue.rows.filter((row) => row.engines.includes('postman')).map((row) => row.id);
    expect(shown).toEqual(declared.sort());
    expect(tests).toContain('challenge.status: answers 401');
    expect(new Set(tests).size).toBe(tests.length);
  });

  test('has every request once, after those that it refers to', () => {
    const earlier = new Set(['clock_url']);
    for (const { id, needs, nonce, token, checks } of rows) {
      const values = [nonce, token].flatMap((value) => (value !== undefined && 'of' in value ? value.of : []));
      const compared = checks.flatMap((check) => [check.refusal ?? [], check.compared ?? [], check.unless ?? []].flat());
      expect([...needs.map(({ of }) => of), ...values, ...compared].filter((each) => !earlier.has(each))).toEqual([]);
      expect(earlier).not.toContain(id);
      earlier.add(id);
    }
  });

  test('never sends valid credentials with an unsafe method, and follows nothing', () => {
    for (const { request, protocolProfileBehavior } of requests) {
      expect(protocolProfileBehavior).toMatchObject({ followRedirects: false, disableCookies: true });
      if (request?.method !== 'GET' && request?.url.raw !== '{{clock_url}}') expect(request?.header).toEqual([]);
    }
  });

  test.each(spec.literals.map((literal) => [literal.name, literal] as const))('follows the spec: %s', (_name, literal) => {
    const kinds = { status: '418', duration: 'PT20M', pattern: '^[a-z]+$', path: '/docs', 'key-pattern': '^E[1-5][0-9]{2}$' };
    const other =
      literal.name === 'allowed origin' ? 'https://app.example' : (kinds[literal.kind as keyof typeof kinds] ?? `${literal.value}-other`);
    const changed = loadSpec(changeLiteral(spec.source, literal, other));
    expect(postmanCollectionText(changed)).not.toBe(usualText);
  });

  test('is refused when the catalogue names postman for a row that it does not show', () => {
    const source = structuredClone(spec.source) as unknown as { requirements: { requirements: { id: string; engines?: string[] }[] } };
    for (const row of source.requirements.requirements) if (row.id === 'token.any-connection') row.engines = ['laws', 'postman'];
    expect(() => postmanCollection(loadSpec(source as never))).toThrow(/token\.any-connection/);
  });
});
