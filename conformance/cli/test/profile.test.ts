import { describe, expect, test } from 'vitest';
import { startReferenceServer } from '../../../reference-server/index.js';
import { loadSpec, packageFile, spec } from '../../../spec/index.js';
import { scratchFile as file } from '../../../spec/test/scratch.js';
import { calling } from './calling.js';

const example = packageFile('spec', 'example.overlay.yaml');

/** The literals of the package's own spec that are words nobody else uses. */
const { headers, challenge, exchange, link, mediaType } = spec.protocol;
const own = [headers.nonce, headers.token, challenge.realm, ...Object.values(challenge.body), ...Object.values(exchange.body), mediaType];

describe('--spec', () => {
  test.each(['postman', 'openapi', 'arazzo'])('is followed by export %s, which has no value of another profile left', async (document) => {
    const { code, out } = await calling(['export', document, '--spec', example]);
    expect(code).toBe(0);
    expect(out).toContain('X-Nonce');
    // Names in paths and prose of the document may stay; values may not.
    expect([...own, `"${link.relation}"`, '45 minutes', 'PT45M', 'shape of a UUID'].filter((literal) => out.includes(literal))).toEqual([]);
  });

  test('is followed by the sentences of the catalogue', async () => {
    const { out } = await calling(['requirements', '--json', '--spec', example]);
    expect(out).toContain('for 30 minutes after it was issued');
    expect(out).toContain('{base_url}/words');
    expect([...own, '45 minutes', '/vocab', 'UUID', 'Basic'].filter((literal) => out.includes(literal))).toEqual([]);
  });

  test('is written by export overlay for the usual changes, which are checked', async () => {
    const words = 'export overlay --nonce-header X-N --token-header X-T --lifetime PT30M --media-type text/x --realm'.split(' ');
    const { code, out } = await calling([...words, 'Our "own" \\']);
    expect(code).toBe(0);
    const { protocol } = loadSpec(file('usual.yaml', out));
    expect([protocol.headers.nonce, protocol.headers.token, protocol.token.lifetime]).toEqual(['X-N', 'X-T', 'PT30M']);
    expect([protocol.challenge.realm, protocol.mediaType]).toEqual(['Our "own" \\', 'text/x']);
  });

  test.each(['nonce', 'token'])('is pointed to where another header carries the %s, with the command that writes it', async (what) => {
    const profile = file('other.yaml', (await calling(['export', 'overlay', `--${what}-header`, 'X-Other'])).out);
    const served = { users: [{ id: 1, paraphrase: 'a long secret' }], collections: ['people'] };
    await using server = await startReferenceServer({ ...served, spec: loadSpec(profile) });
    const words = '--collection people --only challenge.nonce exchange.token --engine laws --budget 80'.split(' ');
    const judged = async (...more: string[]) => calling(['check', server.url, '--user', '1:a long secret', ...words, ...more]);
    const { out } = await judged();
    expect(out).toContain(`header, but X-Other looks like a ${what}`);
    expect(out.replace(/\s+/g, ' ')).toContain(
      `hydrauth export overlay --${what}-header X-Other > profile.yaml, then --spec profile.yaml (docs/profiles.md)`,
    );
    expect((await judged('--spec', profile)).out).not.toContain('looks like');
    const half = file('half.yaml', (await calling(['export', 'overlay', '--nonce-header', 'X-Old', '--lifetime', 'PT30M'])).out);
    const hint =
      what === 'nonce' ? /--nonce-header X-Other --lifetime PT30M > profile/ : /as the protocol says without a profile: leave out --spec/;
    expect((await judged('--spec', half)).out.replace(/\s+/g, ' ')).toMatch(hint);
    expect((await judged('--auth', 'off', '--only', 'off')).out.replace(/\s+/g, ' ')).toContain('judge it without --auth off');
  });

  test('is pointed to where tokens live for another number of minutes', async () => {
    const profile = file('longer.yaml', (await calling(['export', 'overlay', '--lifetime', 'PT30M'])).out);
    const users = [{ id: 1, paraphrase: 'a long secret' }];
    await using server = await startReferenceServer({ users, collections: ['people'], clock: 'manual', spec: loadSpec(profile) });
    const words = `check ${server.url} --collection people --clock ${server.clockUrl} --only expiry --engine laws --runs 1`.split(' ');
    const { code, out } = await calling([...words, '--user', '1:a long secret']);
    expect([code, out.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(/ended 30 minutes after .* export overlay --lifetime PT30M > profile/),
    ]);
  });

  test('prints an example of itself with export overlay', async () => {
    const { code, out } = await calling(['export', 'overlay']);
    expect(code).toBe(0);
    const copy = file('example.yaml', out);
    expect((await calling(['export', 'openapi', '--spec', copy])).out).toBe((await calling(['export', 'openapi', '--spec', example])).out);
  });

  const calls = {
    check: ['check', 'http://127.0.0.1:9/api', '--collection', 'books', '--user', '1:x'],
    'check-client': ['check-client', 'true'],
    watch: ['watch', 'http://127.0.0.1:9/api'],
    explain: ['explain', 'challenge.nonce'],
    serve: ['serve', '--port', '0'],
    demo: ['demo'],
    export: ['export', 'postman'],
    requirements: ['requirements'],
    'self-test': ['self-test', '--list'],
  };
  test.each(Object.entries(calls))('that cannot be used ends %s with exit code 2 and one sentence', async (_, words) => {
    const broken = file('broken.yaml', 'overlay: 1.0.0\ninfo: {}\nactions: [{ target: $.nowhere, remove: true }]\n');
    const { code, out, err } = await calling([...words, '--spec', broken]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${broken} at /actions/0/target: $.nowhere matches nothing in the document`);
    expect(err).not.toContain('    at ');
  });
});
