import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

// As installed, the names lead to the package; here they lead to its sources.
export default defineConfig({
  test: { include: ['*.test.js'] },
  resolve: {
    alias: {
      'hydrauth/vitest': source('conformance/vitest.ts'),
      'hydrauth/reference-server': source('reference-server/index.ts'),
    },
  },
});
