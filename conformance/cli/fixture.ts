import type { ReferenceServerOptions, ServerFixture } from '../../reference-server/index.js';
import { CallError } from './command.js';

/** The options of a reference server that is broken, or different, in the way that was asked for. */
export async function fixtureOptions(
  fault: string | undefined,
  variant: string | undefined,
  base: ReferenceServerOptions,
): Promise<ReferenceServerOptions> {
  const kind = fault === undefined ? 'variant' : 'fault';
  const id = fault ?? variant;
  if (id === undefined) return base;
  const { findFixture } = (await import('../../fixtures/index.js')) as {
    findFixture(kind: 'fault' | 'variant', id: string): ServerFixture;
  };
  try {
    return findFixture(kind, id).options(base);
  } catch (error) {
    throw new CallError((error as Error).message);
  }
}
