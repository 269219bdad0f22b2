import type { Spec } from '../../spec/index.js';
import type { Base, Documents } from './parts.js';

const context = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  schema: 'http://schema.org/',
};

const membersOfCollection = 3;

/** The address of a collection below the base URL. */
export function collectionPath(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

/** Small JSON-LD documents in the Hydra vocabulary; their contexts stand inside them, so that nothing need be fetched. */
export function makeDocuments(spec: Spec, collections: readonly string[]): Documents {
  const memberClass = (base: Base) => `${base.url}${spec.protocol.link.path}#Member`;
  const member = (name: string, number: number, base: Base) => ({
    '@id': `${base.url}${collectionPath(name)}/${number}`,
    '@type': memberClass(base),
    'schema:name': `${name} ${number}`,
  });
  const numbers = Array.from({ length: membersOfCollection }, (_, index) => index + 1);
  const reference = (name: string, base: Base) => ({ '@id': `${base.url}${collectionPath(name)}`, '@type': 'hydra:Collection' });
  const read = (returns: string) => ({ '@type': 'hydra:Operation', 'hydra:method': 'GET', 'hydra:returns': { '@id': returns } });

  return {
    entryPoint: (base) => ({
      '@context': context,
      '@id': `${base.url}/`,
      '@type': 'hydra:Resource',
      'hydra:title': 'Entry point',
      'hydra:collection': collections.map((name) => reference(name, base)),
    }),
    vocabulary: (base) => ({
      '@context': context,
      '@id': `${base.url}${spec.protocol.link.path}`,
      '@type': 'hydra:ApiDocumentation',
      'hydra:title': 'Collections behind token authentication',
      'hydra:entrypoint': { '@id': `${base.url}/` },
      'hydra:supportedClass': [
        {
          '@id': memberClass(base),
          '@type': 'hydra:Class',
          'hydra:title': 'Member of a collection',
          'hydra:supportedProperty': [
            {
              '@type': 'hydra:SupportedProperty',
              'hydra:property': { '@id': 'schema:name' },
              'hydra:title': 'name',
              'hydra:writeable': false,
            },
          ],
          'hydra:supportedOperation': [read(memberClass(base))],
        },
        {
          '@id': 'hydra:Collection',
          '@type': 'hydra:Class',
          'hydra:title': 'Collection',
          'hydra:supportedOperation': [read('hydra:Collection')],
        },
      ],
    }),
    collection: (name, base) => ({
      '@context': context,
      ...reference(name, base),
      'hydra:title': name,
      'hydra:totalItems': membersOfCollection,
      'hydra:member': numbers.map((number) => member(name, number, base)),
    }),
    member: (name, number, base) => (numbers.includes(number) ? { '@context': context, ...member(name, number, base) } : undefined),
  };
}
