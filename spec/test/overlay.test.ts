import { describe, expect, test } from 'vitest';
import { loadSpec, packageFile, spec, specText } from '../index.js';
import { scratchFile } from './scratch.js';
import { failure } from './sources.js';

const file = (text: string, name = 'profile.yaml') => scratchFile(name, text);
const overlay = (...actions: readonly object[]) =>
  file(JSON.stringify({ overlay: '1.0.0', info: { title: 'A profile', version: '1' }, actions }));
const token = '$.components.securitySchemes.token';

const complaint = (path: string) => failure(() => loadSpec(path)).message.replace(path, 'FILE');

describe('an overlay', () => {
  test('joins objects and replaces values', () => {
    const { protocol } = loadSpec(overlay({ target: token, update: { 'x-lifetime': 'PT20M' } }));
    expect(protocol).toEqual({ ...spec.protocol, token: { lifetime: 'PT20M', lifetimeMs: 1_200_000 } });
  });

  test('removes, and appends to lists', () => {
    const { source } = loadSpec(
      overlay({ target: '$.tags', update: { name: 'more' } }, { target: '$.paths.*.get.description', remove: true }),
    );
    const { tags, paths } = source.openapi as unknown as { tags: object[]; paths: Record<string, { get: object }> };
    expect(tags.at(-1)).toEqual({ name: 'more' });
    expect(Object.values(paths).some(({ get }) => 'description' in get)).toBe(false);
  });

  test('that the kit prints as an example changes every literal but the names that HTTP gave', () => {
    const changed = loadSpec(packageFile('spec', 'example.overlay.yaml'));
    const same = changed.literals.filter(({ name, value }) => spec.literals.some((own) => own.name === name && own.value === value));
    expect(same.map(({ name }) => name)).toEqual(
      ['date shape', ...['link', 'allowed origin', 'length', 'date'].map((name) => `header name: ${name}`)].sort(
        (one, other) => changed.literals.findIndex(({ name }) => name === one) - changed.literals.findIndex(({ name }) => name === other),
      ),
    );
    expect(changed.literals.map(({ name }) => name)).toEqual(spec.literals.map(({ name }) => name));
  });

  test.each<[string, ...object[]]>([
    ['FILE at /actions/0/target: $.nowhere matches nothing', { target: '$.nowhere', update: {} }],
    ['FILE at /actions/1/target: $.[ is no JSONPath', { target: '$', update: {} }, { target: '$.[', update: {} }],
    ['FILE at /actions/0/target: a JSONPath is expected here', { update: {} }],
    ['FILE at /actions/0/update: missing; what to put there is expected', { target: '$' }],
    ['FILE at /actions/0/update: the target is no object', { target: `${token}.name`, update: 'X-Token' }],
    ['FILE at /actions/0/remove: true or false is expected', { target: token, remove: 'yes' }],
    ['FILE at /actions/0/replace: there is no such member; allowed are target, description, update, remove', { target: '$', replace: 1 }],
    ['FILE at /actions/0/target: the whole document cannot be removed', { target: '$', remove: true }],
  ])('is refused: %s', (expected, ...actions) => {
    expect(complaint(overlay(...actions))).toContain(expected);
  });

  test('of another version, or without actions, is refused', () => {
    expect(complaint(file('overlay: 2.0.0\nactions: [{}]'))).toContain(
      'FILE at /overlay: version 1.0.0 of overlays is expected, not "2.0.0"',
    );
    expect(complaint(file('overlay: 1.0.0'))).toContain('FILE at /actions: a list of actions is expected here');
  });

  test('that makes a document which cannot be used is refused with its place in that', () => {
    expect(complaint(overlay({ target: token, update: { 'x-lifetime': 'soon' } }))).toContain(
      'FILE, applied to openapi.yaml, at /components/securitySchemes/token/x-lifetime: an ISO 8601 duration such as PT30M is expected, not soon',
    );
  });
});

describe('a whole document', () => {
  test('is a profile too, in YAML or JSON', () => {
    const text = specText('openapi').replace('PT45M', 'PT1H');
    expect(loadSpec(file(text)).protocol.token.lifetimeMs).toBe(3_600_000);
    expect(loadSpec(file(JSON.stringify(spec.source.openapi), 'profile.json')).protocol).toEqual(spec.protocol);
  });

  test('brings its own Arazzo workflow', () => {
    const { source } = loadSpec(file(specText('openapi').replaceAll('X-Authorization', 'X-Token')));
    expect(JSON.stringify(source.arazzo)).toContain('$response.header.X-Token');
    expect(JSON.stringify(source.arazzo)).not.toContain('X-Authorization');
  });

  test.each([
    ['is missing', () => '/nowhere/profile.yaml', /cannot be read \(ENOENT\); an OpenAPI document/],
    ['is no YAML', () => file('openapi: [1'), /line 1, column \d+: not valid YAML or JSON/],
    ['has an alias of nothing', () => file('openapi: *none'), /an alias \(\*name\) has no anchor/],
    ['is a list', () => file('- 1'), /it holds no object; an OpenAPI document \(openapi: 3\.1\.0\) or an overlay/],
    ['is neither', () => file('swagger: "2.0"'), /neither openapi nor overlay stands here/],
    ['is OpenAPI 3.0', () => file(specText('openapi').replace('3.1.0', '3.0.3')), /at \/openapi: OpenAPI 3\.1 is expected, not "3\.0\.3"/],
    ['has no title', () => file('openapi: 3.1.0\ninfo: {}'), /at \/info\/title: a text that names the profile is expected here/],
    ['has a version that is no text', () => file('openapi: { toString: null }'), /OpenAPI 3\.1 is expected, not \{"toString":null\}/],
    ['leads to itself', () => file('openapi: 3.1.0\ninfo: &a { title: a, version: "1", x: *a }'), /stands within its anchor/],
    // These take the parser minutes where there are some hundred.
    ['has lists for keys', () => file(`${'? - '.repeat(20)}x`), /not valid YAML or JSON: .*keys must be strings/],
    ['has null for a header', () => file(specText('openapi').replace(/(X-Authentication:)\s+\$ref.*/, '$1 null')), /refers to .*Nonce/],
    [
      'lacks a step',
      () => file(specText('openapi').replace(/^ {4}Challenge:[\s\S]*?^ {4}CollectionGranted:/m, '    CollectionGranted:')),
      /at \/components\/responses: no response sends a header that refers to #\/components\/headers\/Nonce/,
    ],
  ])('that %s is refused', (_, path, expected) => {
    expect(complaint(path())).toMatch(expected);
  });
});
