import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const never = ['**/node_modules/**', '**/dist/**', '**/sample-project/**'];

/** Tests that replace a module, or a function of one, for a file. */
const replacing = [
  'conformance/clock/test/clock.test.ts',
  'conformance/run/test/broken-collection.test.ts',
  'conformance/run/test/run-budget.test.ts',
  'conformance/test/default-run.test.ts',
];

/** Small files that take long: Vitest begins with large files, and what takes long should not begin last. */
const slow = /\/(guides|proof|pairs|profiles|deployments|clients|five-faults|foreign|plain-servers)\.test\.ts$/;
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    exclude: never,
    globalSetup: './spec/test/scratch.ts',
    setupFiles: './conformance/test/setup.ts',
    // Many tests wait for a process of their own, so that there is room for three more than there are processors.
    maxWorkers: availableParallelism() + 3,
    // Go then compiles its library once for all tests.
    env: { CGO_ENABLED: '0' },
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
