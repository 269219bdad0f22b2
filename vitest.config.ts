import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,reference-server,conformance,fixtures,bench,docs}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/sample-project/**'],
    // Vitest leaves one processor to itself, which is half of two.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
