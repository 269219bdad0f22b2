import type { Allowance } from '../oracle/index.js';
import { type Circumstance, type Dimension, malformed, none } from './circumstance.js';

type Spelling = readonly [words: string, spell: (name: string) => string];

/** Some services leave folders of files open, and look at dots afterwards. */
const legal: readonly Spelling[] = [
  ['a slash at its end', (name) => `/${name}/`],
  ['a doubled slash', (name) => `//${name}`],
  ['two slashes at its end', (name) => `/${name}//`],
  ['a dot segment', (name) => `/./${name}`],
  ['a double-dot segment', (name) => `/assets/../${name}`],
  ['its first letter percent-encoded', (name) => `/${encoded(name)}${name.slice(1)}`],
  ['its first letter percent-encoded in capitals', (name) => `/${encoded(name).toUpperCase()}${name.slice(1)}`],
  ['capitals', (name) => `/${name.toUpperCase()}`],
  ['small letters', (name) => `/${name.toLowerCase()}`],
  ['a path parameter', (name) => `/${name};x=1`],
  ['a path parameter like the name of a file', (name) => `/${name};x.css`],
  ['an ending', (name) => `/${name}.json`],
  ['an encoded blank at its end', (name) => `/${name}%20`],
  ['an encoded slash at its end', (name) => `/${name}%2f`],
  ['an encoded question mark at its end', (name) => `/${name}%3f`],
  ['an encoded dot segment', (name) => `/%2e/${name}`],
];

const illegal: readonly Spelling[] = [
  ['an encoded zero octet', (name) => `/${name}%00`],
  ['a malformed escape', (name) => `/${name}%zz`],
  ['a lone percent sign', (name) => `/${name}%`],
  ['an overlong encoding', (name) => `/%c0%ae/${name}`],
  ['a backslash', (name) => `\\${name}`],
];

/** Not among the queries: what stands before a service refuses it, whatever else is in the request. */
const illegalQuery: Spelling = ['an encoded zero octet as its query', (name) => `/${name}?%00`];

function encoded(name: string): string {
  return `%${name.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Of the collection that the draft asks for, because only the path of a collection has another spelling of the same thing; or of this one. */
const spelled =
  (allows: Allowance, of?: string) =>
  ([words, spell]: Spelling): Circumstance => ({
    id: of === undefined ? words : `${words}, of ${of}`,
    words: `the path is written with ${words}${of === undefined ? '' : `, that of ${of}`}`,
    change: (draft, { collections }) => {
      const name = of ?? collections.find((each) => draft.path === `/${each}`);
      return name === undefined ? draft : { ...draft, path: spell(name) };
    },
    allows,
    // With nothing beside it.
    askers: ['stranger'],
    masks: true,
  });

const open: Allowance = { grantIsOpen: true, instead: { statuses: 'any', row: 'protection.path-spellings-challenged' } };
const isOther =
  (name: string) =>
  ([, spell]: Spelling) =>
    spell(name) !== `/${name}`;

/** They are no address below the base URL, to those who tell letter case and escapes apart; to others they are the same. */
const ofBase = (words: string, spell: (path: string) => string): Circumstance => ({
  id: `base path ${words}`,
  words: `the path of the base URL is written ${words}`,
  change: (draft, { basePath }) => ({ ...draft, basePath: spell(basePath) }),
  allows: malformed,
  askers: ['stranger'],
  masks: true,
});
const basePaths = [
  ofBase('in capitals', (path) => path.toUpperCase()),
  ofBase('with its first letter percent-encoded', (path) => path.replace(/[a-z]/, encoded)),
  ofBase('behind two slashes', (path) => `/${path}`),
];

/** Spellings by which routers and guards have been led to disagree. */
export const spelling: Dimension = {
  name: 'spelling',
  values: ({ basePath, collections: [first, ...others] }) => [
    none,
    ...legal.filter(isOther(first)).map(spelled(open)),
    // The second collection may have a guard of its own.
    ...others.slice(0, 1).flatMap((second) => legal.filter(isOther(second)).map(spelled(open, second))),
    ...illegal.map(spelled(malformed)),
    ...(/[a-z]/.test(basePath) ? basePaths : []),
    { ...spelled(malformed)(illegalQuery), tells: { stranger: 'protection.queries' } },
  ],
  tells: { stranger: 'protection.path-spellings' },
};
