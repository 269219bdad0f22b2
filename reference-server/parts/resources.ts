import type { Spec } from '../../spec/index.js';
import type { Base, Parts, Resources } from './parts.js';

/** The addresses below the base URL: the entry point, the vocabulary, the collections and their members. */
export function makeResources(spec: Spec, collections: readonly string[]): Resources {
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
      const written = base.written.get(path);
      if (written !== undefined) return written;
      const found = document(path, base, parts);
      if (found === undefined) return undefined;
      const octets = Buffer.from(JSON.stringify(found));
      base.written.set(path, octets);
      return octets;
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
