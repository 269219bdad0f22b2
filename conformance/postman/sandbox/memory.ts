import type { Pm } from './pm.js';

/** What came of a request that had to be refused; kept until its accepted control is answered. */
export interface Refusal {
  readonly granted: boolean;
  readonly saw: string;
  readonly slowedDown: boolean;
}

/** What requests of the collection keep for later ones, in variables of the collection. Unset and empty are the same. */
export interface Memory {
  get(name: string): string;
  set(name: string, value: string | undefined): void;
  refusal(name: string): Refusal | undefined;
}

export function memoryOf({ collectionVariables }: Pm): Memory {
  const get = (name: string) => collectionVariables.get(`hydrauth_${name}`) ?? '';
  return {
    get,
    set: (name, value) => collectionVariables.set(`hydrauth_${name}`, value ?? ''),
    refusal: (name) => (get(name) === '' ? undefined : (JSON.parse(get(name)) as Refusal)),
  };
}
