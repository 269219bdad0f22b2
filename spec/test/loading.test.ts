import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeLiteral, type Literal, loadSpec, packageFile, readSpecFolder, type SpecError, type SpecSource, spec } from '../index.js';
import { at, copyOfFolder, copyOfSource, failure, type MutableSource } from './sources.js';

function failureOf(change: (copy: MutableSource) => void): SpecError {
  const copy = copyOfSource();
  change(copy);
  return failure(() => loadSpec(copy as unknown as SpecSource));
}

/** The members below a value, at any depth, of which this holds. */
function places(within: unknown, holds: (value: unknown, name: string) => boolean, path = ''): string[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, member]) => [
    ...(member !== null && holds(member, name) ? [`${path}/${name}`] : []),
    ...places(member, holds, `${path}/${name}`),
  ]);
}

describe('a spec is loaded', () => {
  test('from the package by default, where what was parsed ahead is what the YAML files say', () => {
    expect(loadSpec().protocol).toEqual(spec.protocol);
    expect(spec.source).toEqual(readSpecFolder(packageFile('spec')));
    const { catalogue, literals, protocol } = loadSpec(packageFile('spec'));
    expect([catalogue.rows, literals, protocol]).toEqual([spec.catalogue.rows, spec.literals, spec.protocol]);
  });

  test.each([
    ['the spec of the package', spec],
    ['a spec given as data', loadSpec(structuredClone(spec.source))],
  ])('and %s is frozen to its last member', (_, loaded) => {
    const thawed = places(loaded, (value) => typeof value === 'object' && !Object.isFrozen(value));
    expect([Object.isFrozen(loaded), thawed]).toEqual([true, []]);
  });

  // Generators of requests and answers, Schemathesis among them, stumble over such a list within a composition; anyOf says the same.
  test('and no schema of the document allows a list of types', () => {
    expect(places(spec.source.openapi, (value, name) => name === 'type' && Array.isArray(value))).toEqual([]);
  });

  test('from another folder', () => {
    const folder = copyOfFolder();
    const file = join(folder, 'openapi.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('PT45M', 'PT1H30M'));
    expect(loadSpec(folder).protocol.token).toEqual({ lifetime: 'PT1H30M', lifetimeMs: 5_400_000 });
    expect(spec.protocol.token.lifetime).toBe('PT45M');
  });

  test('from an object, which is copied first', () => {
    const realm = spec.literals.find(({ name }) => name === 'realm') as Literal;
    const source = changeLiteral(spec.source, realm, 'Members only');
    const changed = loadSpec(source);
    expect(changed.protocol.challenge).toMatchObject({ realm: 'Members only', authenticate: 'Basic realm="Members only"' });
    expect(changed.source.openapi).not.toBe(source.openapi);
    expect(spec.protocol.challenge.realm).toBe('Login required');
  });
});

describe('a spec that cannot be used says where', () => {
  test('a missing file', () => {
    const folder = copyOfFolder();
    rmSync(join(folder, 'requirements.yaml'));
    const error = failure(() => loadSpec(folder));
    expect(error.file).toBe(join(folder, 'requirements.yaml'));
    expect(error.message).toMatch(/cannot be read \(ENOENT\).*openapi\.yaml, auth\.arazzo\.yaml, requirements\.yaml/);
  });

  test('an object without one of the documents', () => {
    const { openapi, arazzo } = spec.source;
    const error = failure(() => loadSpec({ openapi, arazzo } as never));
    expect(error.message).toContain('/requirements: missing; a spec is a folder or an object with');
  });

  test.each<[string, string, RegExp, unknown]>([
    ['realm', 'components headers Authenticate schema const', /Authenticate\/schema\/const: missing/, undefined],
    ['challenge body', 'components schemas ChallengeBody const', /ChallengeBody\/const: missing/, undefined],
    ['nonce shape', 'components headers Nonce schema pattern', /Nonce\/schema\/pattern: missing/, undefined],
    ['link relation', 'components headers ApiDocumentation x-link relation', /x-link\/relation: missing/, undefined],
    ['lifetime', 'components securitySchemes token x-lifetime', /token\/x-lifetime: missing/, undefined],
    [
      'lifetime',
      'components securitySchemes token x-lifetime',
      /an ISO 8601 duration such as PT30M is expected, not 45 minutes/,
      '45 minutes',
    ],
    ['token shape', 'components headers Token schema pattern', /Token\/schema\/pattern: not a regular expression/, '['],
    ['nonce header', 'components securitySchemes nonce name', /the header is X-Authentication elsewhere; one name is expected/, 'X-Nonce'],
    ['body member', 'components schemas ChallengeBody const 402', /ChallengeBody\/const: one member is expected/, 'Pay'],
    ['link', 'components headers ApiDocumentation x-link target', /x-link\/target: there is no path \/words/, '{base_url}/words'],
    ['lifetime', 'components securitySchemes token x-lifetime', /from PT1M, one minute, to P366D, a year, is expected, not "PT0S"/, 'PT0S'],
    ['lifetime', 'components securitySchemes token x-lifetime', /a duration from PT1M, one minute, to P366D/, 'P400D'],
    ['nonce shape', 'components headers Nonce schema pattern', /Nonce\/schema\/pattern: a pattern from \^ to \$ is expected/, '^[0-9]{4}$'],
    ['token shape', 'components headers Token schema pattern', /Token\/schema\/pattern: a pattern from \^ to \$/, '^(?=a)[0-9a-f]+$'],
    ['token shape', 'components headers Token schema pattern', /Token\/schema\/pattern: a pattern from \^ to \$/, '[0-9a-f]{64}'],
    ['origin', 'components headers AllowOrigin schema const', /\* or one origin is expected/, 'everybody'],
    ['link relation', 'components headers ApiDocumentation x-link relation', /an address or a word without blanks/, 'two words'],
    ['error key', 'components schemas StatusKeyedError patternProperties ^x$', /one pattern is expected/, {}],
  ])('a literal that is missing or cannot be: %s at %s', (_, place, message, value) => {
    const error = failureOf(({ openapi }) => {
      const path = place.split(' ');
      const member = path.pop() ?? '';
      if (value === undefined) delete at(openapi, ...path)[member];
      else at(openapi, ...path)[member] = value;
    });
    expect(error).toMatchObject({ file: 'openapi.yaml', message: expect.stringMatching(message) });
  });

  test('a status that no read has', () => {
    const error = failureOf(({ openapi }) => {
      for (const path of Object.values(at(openapi, 'paths'))) delete at(path, 'get', 'responses')['401'];
    });
    expect(error).toMatchObject({
      file: 'openapi.yaml',
      message: expect.stringContaining('no read answers with #/components/responses/Challenge'),
    });
  });

  test.each<[string, RegExp, Record<string, unknown>]>([
    ['an id that stands twice', /at \/requirements\/1: the id headers\.content-type stands twice$/, {}],
    ['an id of another step', /the id token\.sufficient does not begin with its step, headers/, { id: 'token.sufficient' }],
    ['an unknown point', /headers\.content-type cites the point 9\.9, which is not among the sources/, { source: ['9.9'] }],
    ['a row without a hint', /\/requirements\/0: headers\.content-type: must have required property 'hint'/, { hint: undefined }],
    ['a row of clients', /has the role client and the step headers; the step client is for the role client alone/, { role: 'client' }],
    ['a level that is none', /headers\.content-type: .*MUST, SHOULD, OPEN/, { level: 'MAY' }],
    ['a row that nothing checks, without a reason', /headers\.content-type: /, { engines: undefined }],
    [
      'a word that is no literal',
      /\/requirements\/0\/statement: there is no literal \{\{mediaTipe\}\}; there are mediaType/,
      { statement: 'It is {{mediaTipe}}.' },
    ],
  ])('a catalogue with %s', (_, message, members) => {
    const error = failureOf(({ requirements: { requirements } }) => {
      const [first = {}, second = {}] = requirements;
      for (const [name, value] of Object.entries(members)) {
        if (value === undefined) delete first[name];
        else first[name] = value;
      }
      if (Object.keys(members).length === 0) second['id'] = first['id'];
    });
    expect(error).toMatchObject({ code: 'HYDRAUTH_SPEC', file: 'requirements.yaml', message: expect.stringMatching(message) });
  });

  test('a catalogue with a point that no row cites', () => {
    const error = failureOf(({ requirements }) => requirements.sources.push({ point: '9.2', section: '9 Versioning', says: 'More.' }));
    expect(error.message).toMatch(/at \/sources\/\d+: no row cites the point 9\.2/);
  });
});

describe('an unknown id', () => {
  test('is an error that names its neighbours', () => {
    expect(failure(() => spec.catalogue.row('token.sufficent')).message).toMatch(
      /no requirement token\.sufficent; of its step there are .*token\.sufficient/,
    );
  });

  test('is also that of an open point where a requirement is wanted', () => {
    expect(spec.catalogue.row('challenge.nonce-lifetime').level).toBe('OPEN');
    expect(failure(() => spec.catalogue.requirement('challenge.nonce-lifetime')).message).toContain('as a MUST or SHOULD');
  });
});
