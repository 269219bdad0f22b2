import type { Base, Documents, Parts, PartsContext, Resources } from './parts.js';

const context = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  schema: 'http://schema.org/',
};

const membersOfCollection = 3;

export function collectionPath(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

/** Small JSON-LD documents in the Hydra vocabulary; their contexts stand inside them, so that nothing need be fetched. */
export function makeDocuments({ spec, collections }: PartsContext): Documents {
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

/** The addresses below the base URL: the entry point, the vocabulary, the collections and their members. */
export function makeResources({ spec, collections }: PartsContext): Resources {
  const byPath = new Map(collections.map((name) => [`/${name}`, name]));

  const document = (path: string, base: Base, { documents }: Parts): object | undefined => {
    if (path === '' || path === '/') return documents.entryPoint(base);
    if (path === spec.protocol.link.path) return documents.vocabulary(base);
    const collection = byPath.get(path);
    if (collection !== undefined) return documents.collection(collection, base);
    const [, parent, number] = /^(\/[^/]+)\/([1-9][0-9]{0,5})$/.exec(path) ?? [];
    const name = parent === undefined ? undefined : byPath.get(parent);
    return name === undefined ? undefined : documents.member(name, Number(number), base);
  };

  return {
    find(sent, { base }, parts) {
      const path = decoded(sent);
      if (path === undefined) return undefined;
      const known = base.written.get(path);
      if (known !== undefined) return known;
      const found = document(path, base, parts);
      if (found !== undefined) base.written.set(path, Buffer.from(JSON.stringify(found)));
      return base.written.get(path);
    },
  };
}

/** The path with its percent-encoding undone; an encoded slash is part of no name here. */
function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path;
  if (/%2f/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
