import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { link } from '../index.js';
import { answer } from './answers.js';

const { protocol } = spec;
const base = new URL('http://api.example:8080/api');
const relation = 'http://www.w3.org/ns/hydra/core#apiDocumentation';

describe('link', () => {
  const judged = (...values: string[]) =>
    link(answer(values.map((value) => ['Link', value] as const)), protocol, base, '/api/drones?x=1').ok;

  test.each([
    `<http://api.example:8080/api/vocab>; rel="${relation}"`,
    `<HTTP://API.example:8080/api/./vocab>;rel="${relation}"`,
    `<vocab>; rel="${relation}"`,
    `</api/vocab>; rel="${relation}"`,
    `</api/%76ocab#>; rel="${relation}"`,
    `<//api.example:8080/api/vocab>; rel="${relation}"`,
    `</api/vocab> ; REL = "next ${relation.toUpperCase()} up"`,
    `</api/vocab>; rel=${relation}`,
    `</style.css>; rel=preload; as=style, </api/vocab>; title="a, b; c \\" <x>"; rel="${relation}", </x>; rel=next`,
    `,, </api/vocab>; rel="${relation}"; rel="other",`,
    `</api/vocab>; rel="${relation}"; anchor="/api/drones?x=1"`,
    `</api/vocab>; rel="${relation}"; anchor=""`,
    `</a,b;c>; rel="x", </api/vocab>; crossorigin; rel="${relation}"`,
  ])('%s', (value) => {
    expect(judged(value)).toBe(true);
    expect(judged('</x>; rel=next', value)).toBe(true);
  });

  test.each([
    '',
    `http://api.example:8080/api/vocab; rel="${relation}"`,
    '<http://api.example:8080/api/vocab>',
    '<http://api.example:8080/api/vocab>; rel="apiDocumentation"',
    `<http://api.example:8080/vocab>; rel="${relation}"`,
    `<http://api.example/api/vocab>; rel="${relation}"`,
    `<https://api.example:8080/api/vocab>; rel="${relation}"`,
    `</api/vocab/>; rel="${relation}"`,
    `</api/vocab?x>; rel="${relation}"`,
    `</api/vocab>; rev="${relation}"`,
    `</api/vocab>; rel="other"; rel="${relation}"`,
    `</api/vocab>; rel="${relation}x"`,
    `</api/vocab>; rel="${relation}"; anchor="/api/other"`,
    `</api/vocab>; title="rel=${relation}"`,
    `</x>; rel="${relation}", </api/vocab>; rel="next"`,
  ])('not %s', (value) => {
    expect(judged(value)).toBe(false);
  });

  test('none at all', () => {
    expect(link(answer(), protocol, base, '/')).toEqual({
      ok: false,
      expected: `Link: <http://api.example:8080/api/vocab>; rel="${relation}"`,
      actual: 'no Link header',
    });
  });

  test.each(['http://inner:3000', 'http://api.example:8080/v1'])('below another base URL names both: %s', (own) => {
    const judgement = link(answer([['Link', `<${own}/vocab>; rel="${relation}"`]]), protocol, base, '/api/drones');
    expect(JSON.stringify(judgement).replace(/[\u2062-\u2064]/g, '')).toContain(
      `calls itself ${own}, and this run was given ${base.href}.`,
    );
  });

  test('odd request targets are no obstacle', () => {
    for (const target of ['//x', '/%zz', '*', '', 'http://[', '/a b']) {
      const got = answer([['Link', `<http://api.example:8080/api/vocab>; rel="${relation}"`]]);
      expect(link(got, protocol, base, target).ok).toBe(true);
    }
  });

  test('any text is read without exception and in good time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('<', '>', ';', ',', '"', '\\', '=', 'rel', ' ', '/api/vocab', relation)), (parts) => {
        expect(typeof judged(parts.join(''))).toBe('boolean');
      }),
    );
    const begin = performance.now();
    for (const text of ['<'.repeat(60_000), `<a>;${'rel="'.repeat(20_000)}`, `<a>${'; '.repeat(30_000)}`, `<a>;x="${'\\'.repeat(60_000)}`])
      judged(text);
    expect(performance.now() - begin).toBeLessThan(20_000);
  });
});
