import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const own = (path) =>
  fileURLToPath(new URL(process.env['HYDRAUTH_BUILT'] ? `../../../dist/${path}.js` : `../../../${path}.ts`, import.meta.url));

// As installed, the names lead to the package; here they lead to its build, or to its sources.
export default defineConfig({
  test: { include: ['*.test.js'] },
  resolve: {
    alias: {
      'hydrauth/vitest': own('conformance/vitest'),
      'hydrauth/reference-server': own('reference-server/index'),
    },
  },
});
