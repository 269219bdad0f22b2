import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { calling } from './calling.js';

describe('hydrauth export', () => {
  test.each([
    ['openapi', 'spec/openapi.yaml'],
    ['arazzo', 'spec/auth.arazzo.yaml'],
    ['postman', 'conformance/postman/hydrauth.postman_collection.json'],
  ])('prints %s as committed', async (document, file) => {
    expect(await calling(['export', document])).toEqual({ code: 0, out: readFileSync(packageFile(file), 'utf8'), err: '' });
  });

  test.each([[[]], [['raml']]])('refuses %j and says what there is', async (words) => {
    const { code, err } = await calling(['export', ...words]);
    expect(code).toBe(2);
    expect(err).toMatch(/postman(\||, )openapi(\||, )arazzo/);
  });
});
