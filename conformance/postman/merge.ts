interface Script {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}

/** What is read here of a collection, or of a folder or request in it. */
export interface Item {
  readonly id?: string;
  readonly item?: readonly Item[];
  readonly event?: readonly Script[];
}

const before = 'prerequest';

/**
 * The same collection with the script that precedes every request written into each request's own: Newman then runs two scripts a
 * request instead of three, and each takes it some ten milliseconds whatever it does.
 */
export function withoutCommonScript(collection: Item): Item {
  const common = (collection.event ?? []).filter(({ listen }) => listen === before).flatMap(({ script }) => script.exec);
  const others = (collection.event ?? []).filter(({ listen }) => listen !== before);
  const into = (item: Item): Item => {
    if (item.item !== undefined) return { ...item, item: item.item.map(into) };
    const own = (item.event ?? []).filter(({ listen }) => listen === before).flatMap(({ script }) => script.exec);
    const rest = (item.event ?? []).filter(({ listen }) => listen !== before);
    return { ...item, event: [{ listen: before, script: { exec: [...common, ...own] } }, ...rest] };
  };
  return { ...collection, event: others, item: (collection.item ?? []).map(into) };
}
