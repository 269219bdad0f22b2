import { expect, test } from 'vitest';
import { changeLiteral, type Literal, loadSpec, packageFile, readSpecFolder, spec } from '../../spec/index.js';
import { startReferenceServer } from '../index.js';
import { aliceBasic } from './support.js';

const source = readSpecFolder(packageFile('spec'));

const example = loadSpec(packageFile('spec', 'example.overlay.yaml')).literals;
const literalOf = (name: string) => spec.literals.find((literal) => literal.name === name) as Literal;

// That the server follows what the example of a profile changes is what the judge shows: fixtures/test/profiles.test.ts.
const others = spec.literals.filter(({ name, value }) => example.find((each) => each.name === name)?.value === value);
test.each(others.map(({ name }) => name))('the server follows a changed %s, too', async (name) => {
  const literal = literalOf(name);
  const isName = literal.kind === 'header-name';
  const changed = loadSpec(changeLiteral(source, literal, isName ? `X-Other-${literal.value}` : '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$'));
  await using server = await startReferenceServer({ spec: changed });
  const { headers } = await fetch(server.url);
  for (const each of ['link', 'allowOrigin', 'contentLength'] as const) expect(headers.get(changed.protocol.headers[each])).toMatch(/./);
  expect(headers.get(changed.protocol.headers.date)).toMatch(changed.protocol.datePattern);
  if (isName) expect(headers.get(String(literal.value))).toBeNull();
});

test.each([
  ['nonce shape', '^n-[a-z2-7]{26}$'],
  ['token shape', '^(?:tok_)[0-9A-Za-z]{22}$'],
])('a %s for which there is no usual encoding is made place by place', async (name, pattern) => {
  const shape = literalOf(name);
  const { protocol, ...changed } = loadSpec(changeLiteral(source, shape, pattern));
  await using server = await startReferenceServer({ spec: { protocol, ...changed } });
  const nonce = (await fetch(server.url)).headers.get(protocol.headers.nonce) as string;
  expect(nonce).toMatch(protocol.challenge.noncePattern);
  const granted = await fetch(server.url, { headers: { [protocol.headers.nonce]: nonce, [protocol.headers.authorization]: aliceBasic } });
  expect(granted.headers.get(protocol.headers.token)).toMatch(protocol.exchange.tokenPattern);
});

test('a date that cannot be written is said plainly, with its place', () => {
  const shape = literalOf('date shape');
  const changed = loadSpec(changeLiteral(source, shape, '^never$'));
  return expect(startReferenceServer({ spec: changed })).rejects.toThrow(/at \/components\/headers\/Date\/schema\/pattern: no date/);
});
