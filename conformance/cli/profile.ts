import { resolve } from 'node:path';
import type { Spec } from '../../spec/index.js';
import type { Args, Option } from './command.js';
import type { Io } from './io.js';

/** Another profile of the protocol. */
export const specOption: Option = {
  name: 'spec',
  value: 'FILE',
  text: "A profile of the protocol instead of the kit's own: an OpenAPI document, or an overlay that changes it (see hydrauth export overlay).",
};

/** The file of the profile, if one is given. */
export function specFile(args: Pick<Args, 'text'>, { cwd }: Pick<Io, 'cwd'>): string | undefined {
  const file = args.text('spec');
  return file === undefined ? undefined : resolve(cwd, file);
}

/** The profile of the call; what is wrong with it is told before anything starts. */
export async function givenSpec(args: Pick<Args, 'text'>, io: Pick<Io, 'cwd'>): Promise<Spec> {
  const { loadSpec, spec } = await import('../../spec/index.js');
  const file = specFile(args, io);
  return file === undefined ? spec : loadSpec(file);
}
