/**
 * A copy in which every context address is absolute. The JSON-LD library takes one relative address that stands twice in a
 * document for a circle.
 */
export function withAbsoluteContexts(document: object, base: URL): object {
  const copy = structuredClone(document);
  const open: object[] = [copy];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [name, member] of Object.entries(node)) {
      if (name === '@context') (node as Record<string, unknown>)[name] = absolute(member, base);
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return copy;
}

function absolute(context: unknown, base: URL): unknown {
  if (Array.isArray(context)) return context.map((each) => (typeof each === 'string' ? resolved(each, base) : each));
  return typeof context === 'string' ? resolved(context, base) : context;
}

function resolved(address: string, base: URL): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}
