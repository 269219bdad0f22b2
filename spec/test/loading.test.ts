import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeLiteral, type Literal, loadSpec, SpecError, spec } from '../index.js';
import { asSource, at, copyOfFolder, copyOfSource, type MutableSource } from './sources.js';

function failure(load: () => unknown): SpecError {
  try {
    load();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('it loaded');
}

function failureOf(change: (copy: MutableSource) => void): SpecError {
  const copy = copyOfSource();
  change(copy);
  return failure(() => loadSpec(asSource(copy)));
}

describe('a spec is loaded', () => {
  test('from the package by default', () => {
    expect(loadSpec().protocol).toEqual(spec.protocol);
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

  test('and its catalogue speaks with its literals', () => {
    const lifetime = spec.literals.find(({ name }) => name === 'token lifetime') as Literal;
    const { catalogue } = loadSpec(changeLiteral(spec.source, lifetime, 'PT2H'));
    expect(catalogue.requirement('expiry.valid-until').statement).toContain('2 hours');
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

  test('a file that is not YAML, with the line', () => {
    const folder = copyOfFolder();
    const file = join(folder, 'openapi.yaml');
    const lines = readFileSync(file, 'utf8').split('\n').length;
    appendFileSync(file, 'broken: [1, 2\n');
    const error = failure(() => loadSpec(folder));
    expect(error.file).toBe(file);
    expect(error.place).toMatch(/^line \d+, column \d+$/);
    expect(Number(/\d+/.exec(error.place)?.[0])).toBeGreaterThanOrEqual(lines);
    expect(error.message).toContain('not valid YAML');
  });

  test('an object without one of the documents', () => {
    const { openapi, arazzo } = spec.source;
    const error = failure(() => loadSpec({ openapi, arazzo } as never));
    expect(error.message).toContain('/requirements: missing; a spec is a folder or an object with');
  });

  test.each<[string, RegExp, (copy: MutableSource) => void]>([
    [
      'realm',
      /Authenticate\/schema\/const: missing/,
      ({ openapi }) => delete at(openapi, 'components', 'headers', 'Authenticate', 'schema')['const'],
    ],
    [
      'token lifetime',
      /token\/x-lifetime: missing/,
      ({ openapi }) => delete at(openapi, 'components', 'securitySchemes', 'token')['x-lifetime'],
    ],
    [
      'challenge body',
      /ChallengeBody\/const: missing/,
      ({ openapi }) => delete at(openapi, 'components', 'schemas', 'ChallengeBody')['const'],
    ],
    [
      'nonce shape',
      /Nonce\/schema\/pattern: missing/,
      ({ openapi }) => delete at(openapi, 'components', 'headers', 'Nonce', 'schema')['pattern'],
    ],
    [
      'link relation',
      /x-link\/relation: missing/,
      ({ openapi }) => delete at(openapi, 'components', 'headers', 'ApiDocumentation', 'x-link')['relation'],
    ],
    [
      'token header',
      /no response sends a header that refers to #\/components\/headers\/Token/,
      ({ openapi }) => {
        for (const response of ['CollectionGranted', 'VocabularyGranted'])
          delete at(openapi, 'components', 'responses', response, 'headers')['X-Authorization'];
      },
    ],
    [
      'challenge status',
      /no read answers with #\/components\/responses\/Challenge/,
      ({ openapi }) => {
        for (const path of Object.values(at(openapi, 'paths'))) delete at(path, 'get', 'responses')['401'];
      },
    ],
  ])('a missing literal: %s', (_, message, change) => {
    const error = failureOf(change);
    expect(error.file).toBe('openapi.yaml');
    expect(error.message).toMatch(message);
  });

  test.each<[string, RegExp, (copy: MutableSource) => void]>([
    [
      'a shape that is no regular expression',
      /Token\/schema\/pattern: not a regular expression/,
      ({ openapi }) => {
        at(openapi, 'components', 'headers', 'Token', 'schema')['pattern'] = '[';
      },
    ],
    [
      'a lifetime that is no duration',
      /x-lifetime: a duration such as PT1H is expected, not 45 minutes/,
      ({ openapi }) => {
        at(openapi, 'components', 'securitySchemes', 'token')['x-lifetime'] = '45 minutes';
      },
    ],
    [
      'a header of two names',
      /the header is X-Authentication elsewhere; one name is expected/,
      ({ openapi }) => {
        at(openapi, 'components', 'securitySchemes', 'nonce')['name'] = 'X-Nonce';
      },
    ],
    [
      'a body of two members',
      /ChallengeBody\/const: one member is expected/,
      ({ openapi }) => {
        at(openapi, 'components', 'schemas', 'ChallengeBody', 'const')['402'] = 'Pay';
      },
    ],
    [
      'a link to nowhere',
      /x-link\/target: there is no path \/words/,
      ({ openapi }) => {
        at(openapi, 'components', 'headers', 'ApiDocumentation', 'x-link')['target'] = '{base_url}/words';
      },
    ],
  ])('a literal that cannot be: %s', (_, message, change) => {
    expect(failureOf(change).message).toMatch(message);
  });

  test.each<[string, RegExp, (rows: MutableSource['requirements']) => void]>([
    [
      'an id that stands twice',
      /^requirements\.yaml at \/requirements\/1: the id headers\.content-type stands twice$/,
      ({ requirements: [first, second] }) => {
        Object.assign(second ?? {}, { id: first?.['id'] });
      },
    ],
    [
      'an id of another step',
      /the id token\.sufficient does not begin with its step, headers/,
      ({ requirements }) => {
        Object.assign(requirements[0] ?? {}, { id: 'token.sufficient' });
      },
    ],
    [
      'a point that is not among the sources',
      /headers\.content-type cites the point 9\.9, which is not among the sources/,
      ({ requirements }) => {
        Object.assign(requirements[0] ?? {}, { source: ['9.9'] });
      },
    ],
    [
      'a point that no row cites',
      /at \/sources\/\d+: no row cites the point 9\.2/,
      ({ sources }) => {
        sources.push({ point: '9.2', section: '9 Versioning', says: 'More.' });
      },
    ],
    [
      'a row without a hint',
      /\/requirements\/0: headers\.content-type: must have required property 'hint'/,
      ({ requirements }) => {
        delete requirements[0]?.['hint'];
      },
    ],
    [
      'a row of clients without the step of clients',
      /headers\.content-type has the role client and the step headers; the step client is for the role client alone/,
      ({ requirements }) => {
        Object.assign(requirements[0] ?? {}, { role: 'client' });
      },
    ],
    [
      'a level that is none',
      /headers\.content-type: .*MUST, SHOULD, OPEN/,
      ({ requirements }) => {
        Object.assign(requirements[0] ?? {}, { level: 'MAY' });
      },
    ],
    [
      'a row that nothing checks, without a reason',
      /headers\.content-type: /,
      ({ requirements }) => {
        delete requirements[0]?.['engines'];
      },
    ],
    [
      'a word that is no literal',
      /\/requirements\/0\/statement: there is no literal \{\{mediaTipe\}\}; there are mediaType/,
      ({ requirements }) => {
        Object.assign(requirements[0] ?? {}, { statement: 'It is {{mediaTipe}}.' });
      },
    ],
  ])('a catalogue with %s', (_, message, change) => {
    const error = failureOf(({ requirements }) => change(requirements));
    expect(error).toMatchObject({ code: 'HYDRAUTH_SPEC', file: 'requirements.yaml' });
    expect(error.message).toMatch(message);
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
