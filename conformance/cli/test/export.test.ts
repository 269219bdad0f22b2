import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from './calling.js';

describe('hydrauth export', () => {
  test.each([
    ['openapi', 'spec/openapi.yaml'],
    ['arazzo', 'spec/auth.arazzo.yaml'],
    ['control', 'spec/control.yaml'],
    ['postman', 'conformance/postman/hydrauth.postman_collection.json'],
  ])('prints %s as committed', async (document, file) => {
    expect(await calling(['export', document])).toEqual({ code: 0, out: readFileSync(packageFile(file), 'utf8'), err: '' });
  });

  test('writes bruno as a folder, with a file for each request', async () => {
    const folder = scratch();
    expect(await calling(['export', 'bruno', '--output', join(folder, 'bruno')])).toEqual({ code: 0, out: '', err: '' });
    const files = readdirSync(join(folder, 'bruno'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['bruno.json', 'hydrauth.js', join('1-challenge', 'challenge.first.bru')]));
  });

  test('prints hurl', async () => {
    const { code, out } = await calling(['export', 'hurl']);
    expect([code, out.includes('GET {{base_url}}/{{collection}}')]).toEqual([0, true]);
  });

  test.each([
    [[], '<postman|bruno|hurl|openapi|arazzo|'],
    [['raml'], 'postman, bruno, hurl, openapi, arazzo'],
    [['bruno'], 'hydrauth export bruno --output hydrauth-bruno'],
    [['hurl', '--output', 'x'], 'hydrauth export hurl > FILE'],
    [['bruno', '--output', packageFile('package.json')], 'cannot be written: the folder'],
    [['overlay', '--nonce-header', 'Host'], 'export: --nonce-header: the name of a header is expected that HTTP does not use itself'],
    [['overlay', '--lifetime', '20m'], 'export: --lifetime: an ISO 8601 duration such as PT30M is expected, not 20m'],
    [['overlay', '--nonce-header', 'X-Authorization', '--token-header', 'X-Authentication', '--realm', ''], 'export: --realm: a realm of'],
    [['overlay', '--nonce-header', 'X-One', '--token-header', 'X-One'], 'export: --nonce-header and --token-header: '],
    [['overlay', '--token-header', 'cookie'], 'that HTTP does not use itself'],
  ])('refuses %j and says how to call it', async (words, help) => {
    const { code, err } = await calling(['export', ...words]);
    expect([code, err.includes(help)]).toEqual([2, true]);
  });
});
