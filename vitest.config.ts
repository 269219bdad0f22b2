import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,reference-server,conformance,fixtures,bench,docs}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/sample-project/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
