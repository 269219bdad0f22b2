import { isObject, type Json } from './document.js';
import { digestOf, type SpecSource } from './source.js';

/** Which protocol a report speaks of: the name of the effective document, and what tells it and the catalogue from others. */
export type Profile = Readonly<Record<'title' | 'version' | 'digest' | 'catalogue', string>>;

export function profileOf({ source: { openapi, requirements } }: { readonly source: SpecSource }): Profile {
  const { title, version } = (openapi as unknown as { info: Pick<Profile, 'title' | 'version'> }).info;
  return { title, version, digest: digestOf(canonical(openapi)), catalogue: digestOf(canonical(requirements)) };
}

/** In which way two profiles differ, in words; undefined where they do not, or where one is not known. */
export function differenceOf(one: Profile | undefined, other: Profile | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  const named = ({ title, version, digest }: Profile) => `${title} ${version} (${digest.slice(0, 8)})`;
  if (one.digest !== other.digest) return `${named(one)}, not ${named(other)}`;
  return one.catalogue === other.catalogue ? undefined : `the catalogue ${one.catalogue.slice(0, 8)}, not ${other.catalogue.slice(0, 8)}`;
}

/** The same text for the same data, in whatever order members stand. */
function canonical(document: Json): string {
  return JSON.stringify(document, (_, value: Json) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value,
  );
}
