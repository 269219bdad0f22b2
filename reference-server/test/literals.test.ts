import { expect, test } from 'vitest';
import { changeLiteral, type Literal, loadSpec, packageFile, readSpecFolder, spec } from '../../spec/index.js';
import { manualClock, startReferenceServer } from '../index.js';
import { aliceBasic } from './support.js';

const source = readSpecFolder(packageFile('spec'));

/** Another value for a literal, such as a changed copy of the spec might have. */
function another(literal: Literal): string {
  const byName: Record<string, string> = {
    'nonce shape': '^[0-9A-F]{32}$',
    'token shape': '^[a-p]{64}$',
    'date shape': '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$',
    'status: the challenge': '403',
    'status: what is granted': '202',
    'vocabulary path': '/documentation/terms',
    'media type': 'application/json',
    'token lifetime': 'PT10M',
    'allowed origin': 'https://a.example',
    'error key': '^E[1-5][0-9]{2}$',
    scheme: 'Other',
  };
  return (
    byName[literal.name] ??
    (literal.kind === 'header-name'
      ? `X-Other-${String(literal.value)}`
      : `Other ${String(literal.value)}`.replace('Other http', 'http://other.example/'))
  );
}

test.each(spec.literals.map((literal) => [literal.name, literal] as const))('the server follows a changed %s', async (_, literal) => {
  const changed = loadSpec(changeLiteral(source, literal, another(literal)));
  const { headers, challenge, exchange, token, link, mediaType, allowOrigin, datePattern } = changed.protocol;
  expect(changed.protocol).not.toEqual(spec.protocol);
  const clock = manualClock();
  await using server = await startReferenceServer({ spec: changed, clock, clockControl: false });
  const address = `${server.url}/books`;

  const expectCommon = async (answer: Response) => {
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get(headers.contentType)).toBe(mediaType);
    expect(answer.headers.get(headers.link)).toBe(`<${server.url}${link.path}>; rel="${link.relation}"`);
    expect(answer.headers.get(headers.allowOrigin)).toBe(allowOrigin);
    expect(answer.headers.get(headers.contentLength)).toBe(String(body.length));
    expect(answer.headers.get(headers.date)).toMatch(datePattern);
    for (const name of ['link', 'allowOrigin', 'contentLength', 'date'] as const) {
      if (spec.protocol.headers[name] !== headers[name]) expect(answer.headers.get(spec.protocol.headers[name])).toBeNull();
    }
    return body.toString();
  };

  const challenged = await fetch(address);
  expect(challenged.status).toBe(challenge.status);
  expect(JSON.parse(await expectCommon(challenged))).toEqual(challenge.body);
  expect(challenged.headers.get(headers.authenticate)).toBe(challenge.authenticate);
  const nonce = challenged.headers.get(headers.nonce) as string;
  expect(nonce).toMatch(challenge.noncePattern);

  const granted = await fetch(address, {
    headers: { [headers.nonce]: nonce, [headers.authorization]: aliceBasic.replace('Basic', challenge.scheme) },
  });
  expect(granted.status).toBe(exchange.status);
  expect(JSON.parse(await expectCommon(granted))).toEqual(exchange.body);
  const value = granted.headers.get(headers.token) as string;
  expect(value).toMatch(exchange.tokenPattern);

  const use = (path = '/books') => fetch(`${server.url}${path}`, { headers: { [headers.token]: value } });
  const served = await use();
  expect(served.status).toBe(exchange.status);
  expect(await expectCommon(served)).toContain('hydra:Collection');
  expect(await (await use(link.path)).text()).toContain('hydra:ApiDocumentation');
  clock.advance({ ms: token.lifetimeMs - 1 });
  expect((await use()).status).toBe(exchange.status);
  clock.advance({ ms: 1 });
  expect((await use()).status).toBe(challenge.status);
});

test.each([
  ['nonce shape', '^n-[a-z2-7]{26}$'],
  ['token shape', '^(?:tok_)[0-9A-Za-z]{22}$'],
])('a %s for which there is no usual encoding is made place by place', async (name, pattern) => {
  const shape = spec.literals.find((literal) => literal.name === name) as Literal;
  const { protocol, ...changed } = loadSpec(changeLiteral(source, shape, pattern));
  await using server = await startReferenceServer({ spec: { protocol, ...changed } });
  const nonce = (await fetch(server.url)).headers.get(protocol.headers.nonce) as string;
  expect(nonce).toMatch(protocol.challenge.noncePattern);
  const granted = await fetch(server.url, { headers: { [protocol.headers.nonce]: nonce, [protocol.headers.authorization]: aliceBasic } });
  expect(granted.headers.get(protocol.headers.token)).toMatch(protocol.exchange.tokenPattern);
});

test('a date that cannot be written is said plainly, with its place', () => {
  const shape = spec.literals.find((literal) => literal.name === 'date shape') as Literal;
  const changed = loadSpec(changeLiteral(source, shape, '^never$'));
  return expect(startReferenceServer({ spec: changed })).rejects.toThrow(/at \/components\/headers\/Date\/schema\/pattern: no date/);
});
