import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { type Follow, left, run, served } from './following.js';

const users = { FLEET_USERS: '1:secret' };
const well = /^2 services: 2 conformant in part\./m;

/** How the blocks of the guide to fleets are followed. */
export const fleetWays: readonly (readonly [begins: string, follow: Follow])[] = [
  [
    '# yaml-language-server',
    async ({ text }, place) => {
      await served(place);
      place.usePort('8081', Number(new URL(place.here('http://127.0.0.1:8080')).port));
      place.file(
        'fleet.yaml',
        place.here(text.replace('defaults:\n', 'defaults:\n  engine: laws\n  only: [challenge.status, exchange.status]\n  budget: 60\n')),
      );
    },
  ],
  ["export FLEET_USERS='1:secret'", run(0, well)],
  ['npx hydrauth fleet', run(0, /This is the first run in the history: nothing to compare with\./, users)],
  [
    'jobs:',
    async ({ text, ...block }, place) => {
      const { judge, merge } = parse(text).jobs;
      const scriptOf = ({ steps }: { steps: { run?: string }[] }) => steps.flatMap((step) => step.run ?? []).join('\n');
      const script = scriptOf(judge).replace(/\$\{\{ github\.run_number \}\}/, '7');
      for (const shard of judge.strategy.matrix.shard)
        await run(0, /\(shard \d\/3\)/, users)({ ...block, text: script.replace(/\$\{\{ matrix\.shard \}\}/g, shard) }, place);
      await run(0, well, { GITHUB_STEP_SUMMARY: 'summary.md' })({ ...block, text: scriptOf(merge) }, place);
      expect(existsSync(join(place.folder, 'summary.md'))).toBe(true);
    },
  ],
  [
    'apiVersion: batch/v1',
    async ({ text }) => {
      new Job(parse(text)).validate();
      const { completions, template, podFailurePolicy } = parse(text).spec;
      const [container] = template.spec.containers;
      expect(container.args[0]).toContain(`/${completions} --seed`);
      expect(podFailurePolicy.rules[0].onExitCodes.containerName).toBe(container.name);
      const names = (list: { name: string }[]) => list.map(({ name }) => name);
      expect(names(template.spec.volumes)).toEqual(names(container.volumeMounts));
    },
  ],
  ['npm install bullmq@6', left('conformance/fleet/test/queue.test.ts runs workers on a real Redis')],
  ['import { createBullBoard }', left('it needs packages that are not installed here')],
  ['npx hydrauth attest', run(0)],
  ['IMAGE=', left('it needs a registry and an identity')],
];
