interface Script {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}

/** What is read here of a collection, or of a folder or request in it. */
export interface Item {
  readonly id?: string;
  readonly item?: readonly Item[];
  readonly event?: readonly Script[];
  readonly description?: unknown;
  readonly request?: { readonly description?: unknown };
}

const before = 'prerequest';

/**
 * The same collection with the script that precedes every request in the first request's own only: it defines what the others use, and
 * stays defined for as long as Newman runs. Each script takes Newman some ten milliseconds whatever it does. Descriptions, which are for
 * people, are left out.
 */
export function prepared({ event = [], item = [], description: _, ...collection }: Item): Item {
  const common = event.filter(({ listen }) => listen === before).flatMap(({ script }) => script.exec);
  let first = true;
  const into = ({ description: _, ...each }: Item): Item => {
    if (each.item !== undefined) return { ...each, item: each.item.map(into) };
    const own = (each.event ?? []).filter(({ listen }) => listen === before).flatMap(({ script }) => script.exec);
    const rest = (each.event ?? []).filter(({ listen }) => listen !== before);
    const exec = first ? [...common, ...own] : own;
    first = false;
    const { description: __, ...request } = each.request ?? {};
    return { ...each, request, event: [...(exec.length === 0 ? [] : [{ listen: before, script: { exec } }]), ...rest] };
  };
  return { ...collection, event: event.filter(({ listen }) => listen !== before), item: item.map(into) };
}
