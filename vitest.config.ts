import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const never = ['**/node_modules/**', '**/dist/**', '**/sample-project/**'];

/** Tests that replace a module, or a function of one, for a file. */
const replacing = [
  'conformance/clock/test/clock.test.ts',
  'conformance/run/test/broken-collection.test.ts',
  'conformance/run/test/run-budget.test.ts',
  'conformance/test/default-run.test.ts',
];

export default defineConfig({
  test: {
    exclude: never,
    globalSetup: './spec/test/scratch.ts',
    setupFiles: './spec/test/seed.ts',
    // Many tests wait for a process of their own, so that there is room for three more than there are processors.
    maxWorkers: availableParallelism() + 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'alone', include: replacing } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{spec,reference-server,conformance,fixtures,bench,docs}/**/*.test.ts'],
          exclude: [...never, ...replacing],
          // A process goes on with the next file: what is compiled and warm stays so, which halves the time of a whole run.
          isolate: false,
        },
      },
    ],
  },
});
