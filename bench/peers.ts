import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spec } from '../spec/index.js';
import { authorizationOf, user } from './bench.js';
import { root } from './build.js';
import { newmanFlow, respectFlows, stepciFlows } from './flows.js';

/** A tool that people use instead, and how to have it take the three steps so many times. */
export interface PeerTool {
  readonly name: string;
  /** Undefined when it is not installed. */
  readonly command: ((flows: number) => readonly string[]) | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

export const notInstalled = 'not installed: npm ci --prefix bench';
const folder = join(root, '.cache', 'bench');

export function peerTools(url: string, spec: Spec): readonly PeerTool[] {
  // JSON is YAML too.
  const written = (name: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const collection = written('flow.postman_collection.json', JSON.stringify(newmanFlow(url, spec, user)));
  const newman = join(root, 'node_modules', 'newman', 'bin', 'newman.js');
  const redocly = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const stepci = join(root, 'bench', 'node_modules', 'stepci', 'dist', 'index.js');
  const inputs = JSON.stringify({ collection_name: 'books', authorization: authorizationOf(spec) });
  return [
    { name: 'newman', command: existsSync(newman) ? (flows) => [newman, 'run', collection, '-n', String(flows)] : undefined },
    {
      name: 'stepci',
      command: existsSync(stepci)
        ? (flows) => [stepci, 'run', written(`flows-${flows}.stepci.yml`, JSON.stringify(stepciFlows(url, spec, user, flows)))]
        : undefined,
      env: { STEPCI_DISABLE_ANALYTICS: '1', XDG_CONFIG_HOME: folder },
    },
    {
      name: 'redocly respect',
      command: existsSync(redocly)
        ? (flows) => {
            const file = written(
              `flows-${flows}.arazzo.yaml`,
              JSON.stringify(respectFlows(spec, flows, join(root, 'spec', 'openapi.yaml'))),
            );
            return [redocly, 'respect', file, '--server', `api=${url}`, '--input', inputs, '--max-steps', '100000'];
          }
        : undefined,
      env: { REDOCLY_TELEMETRY: 'off' },
    },
  ];
}
