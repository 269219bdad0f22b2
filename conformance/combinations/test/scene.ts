import type { Scene } from '../../circumstances/index.js';
import { dimensions } from '../../circumstances/index.js';
import { states } from '../../states/index.js';
import { protocol } from '../../test/messages.js';
import type { Case, Cause } from '../case.js';

export const scene: Scene = {
  basePath: '/api',
  origin: 'http://127.0.0.1:8080',
  collections: ['things', 'people'],
  vocabulary: protocol.link.path,
  mediaType: protocol.mediaType,
};

export function state(id: string): Case['state'] {
  const found = states.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no state "${id}"`);
  return found;
}

export function cause(name: string, id: string): Cause {
  const dimension = dimensions.find((each) => each.name === name);
  const circumstance = dimension?.values(scene).find((each) => each.id === id);
  if (dimension === undefined || circumstance === undefined) throw new Error(`there is no ${name} "${id}"`);
  return { dimension, circumstance };
}
