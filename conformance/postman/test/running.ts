import { spec } from '../../../spec/index.js';
import { keepNewman, type PostmanInput, type PostmanResult, runPostman } from '../index.js';
import { startTinyServer, type TinyServer, tinyUser } from './tiny-server.js';
import type { Trait } from './tiny-traits.js';

// One process for all tests of a file: to load Newman takes a second.
keepNewman();

/** Runs the collection through the kit against a server with these traits. */
export async function run(
  traits: Trait[],
  given: Partial<PostmanInput> = {},
  seen: (server: TinyServer) => void = () => undefined,
): Promise<PostmanResult> {
  const server = await startTinyServer(...traits);
  try {
    const input = { spec, baseUrl: server.baseUrl, collection: 'things', user: tinyUser, clockUrl: server.clockUrl };
    const result = await runPostman({ ...input, timeoutMs: 10_000, selected: () => true, ...given });
    seen(server);
    return result;
  } finally {
    await server.close();
  }
}
/** All that leaves the clock alone. */
export const withoutExpiry = { selected: (id: string) => !id.startsWith('expiry.') };

/** The requirements with a finding of this outcome. */
export const ids = ({ findings }: PostmanResult, outcome: string) =>
  [...new Set(findings.filter((finding) => finding.outcome === outcome).map((finding) => finding.requirement))].sort();
