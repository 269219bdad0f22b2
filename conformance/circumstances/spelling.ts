import { type Circumstance, type Dimension, malformed, none, type Scene } from './circumstance.js';

type Spell = (name: string) => string;

const legal: readonly [words: string, spell: Spell][] = [
  ['a slash at its end', (name) => `/${name}/`],
  ['a doubled slash', (name) => `//${name}`],
  ['two slashes at its end', (name) => `/${name}//`],
  ['a dot segment', (name) => `/./${name}`],
  ['a double-dot segment', (name) => `/x/../${name}`],
  ['its first letter percent-encoded', (name) => `/${encoded(name)}${name.slice(1)}`],
  ['its first letter percent-encoded in capitals', (name) => `/${encoded(name).toUpperCase()}${name.slice(1)}`],
  ['capitals', (name) => `/${name.toUpperCase()}`],
  ['a path parameter', (name) => `/${name};x=1`],
  ['a path parameter like the name of a file', (name) => `/${name};x.css`],
  ['an ending', (name) => `/${name}.json`],
  ['an encoded blank at its end', (name) => `/${name}%20`],
  ['an encoded slash at its end', (name) => `/${name}%2f`],
  ['an encoded question mark at its end', (name) => `/${name}%3f`],
  ['an encoded dot segment', (name) => `/%2e/${name}`],
];

const illegal: readonly [words: string, spell: Spell][] = [
  ['an encoded zero octet', (name) => `/${name}%00`],
  ['a malformed escape', (name) => `/${name}%zz`],
  ['a lone percent sign', (name) => `/${name}%`],
  ['an overlong encoding', (name) => `/%c0%ae/${name}`],
  ['a backslash', (name) => `\\${name}`],
];

/** Not among the queries: what stands before a service refuses it, whatever else is in the request. */
const illegalQuery = ['an encoded zero octet as its query', (name: string) => `/${name}?%00`] as const;

function encoded(name: string): string {
  return `%${name.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

const spelled =
  (isLegal: boolean) =>
  ([words, spell]: readonly [string, Spell]): Circumstance => ({
    id: words,
    words: `the path is written with ${words}`,
    // Only the path of a collection has another spelling of the same thing.
    change: (draft, { collections }) => {
      const name = collections.find((each) => draft.path === `/${each}`);
      return name === undefined ? draft : { ...draft, path: spell(name) };
    },
    allows: isLegal ? { grantIsOpen: true, instead: { statuses: 'any', row: 'protection.path-spellings-challenged' } } : malformed,
  });

/** The second collection may have a guard of its own. */
const spelledSecond =
  (name: string) =>
  (written: readonly [string, Spell]): Circumstance => {
    const { id, words, ...rest } = spelled(true)(written);
    const change: Circumstance['change'] = (draft) => ({ ...draft, path: written[1](name) });
    return { ...rest, id: `${id}, of ${name}`, words: `${words}, that of ${name}`, change };
  };

/** Spellings by which routers and guards have been led to disagree. */
export const spelling: Dimension = {
  name: 'spelling',
  values: ({ collections }: Scene) => [
    none,
    ...legal
      .map(spelled(true))
      .filter(
        ({ change }) => change({ ...plainDraft, path: `/${collections[0]}` }, { collections } as Scene).path !== `/${collections[0]}`,
      ),
    ...collections.slice(1, 2).flatMap((name) => legal.filter(([, spell]) => spell(name) !== `/${name}`).map(spelledSecond(name))),
    ...illegal.map(spelled(false)),
    { ...spelled(false)(illegalQuery), tells: { stranger: 'protection.queries' } },
  ],
  tells: { stranger: 'protection.path-spellings' },
  only: { about: ['stranger'], beside: [] },
};

const plainDraft = { method: 'GET', path: '', query: '', headers: [] } as const;
