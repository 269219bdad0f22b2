import type { Allowance } from '../oracle/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import { type Circumstance, type Dimension, none, type Scene, type Tells } from './circumstance.js';

const missing: Allowance = { granted: [301, 302, 303, 307, 308, 400, 404, 405, 406, 410] };

/** With and without a slash it is the same address; who is sent from one to the other learns nothing. */
const base: Allowance = {
  ...missing,
  instead: { statuses: [301, 302, 303, 307, 308], row: 'protection.path-spellings-challenged', when: isSentToItself },
};

function isSentToItself({ request, answer }: Exchange): boolean {
  const [location = ''] = answer === undefined ? [] : headerValues(answer, 'location');
  const [path = ''] = request.target.split('?');
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  return URL.canParse(location, 'http://x') && new URL(location, 'http://x').pathname === other;
}

const below = (path: string, words: string, allows?: Allowance): Circumstance => ({
  id: path === '' ? '(base)' : path,
  words,
  change: (draft) => ({ ...draft, path }),
  ...(allows === undefined ? {} : { allows }),
});

/** Paths that frameworks and proxies like to answer by themselves. */
const looksStatic = ['/health', '/static/no-such.css', '/login'];
/** Others that are answered whatever else is in the request, if at all. */
const standsAside = ['/favicon.ico', '/robots.txt', '/docs', '/openapi.json', '/metrics', '/assets/logo.png', '/.well-known/no-such'];

/** Of strangers alone, and with nothing beside it. */
const plainly = (circumstance: Circumstance): Circumstance => ({ ...circumstance, askers: ['stranger'], masks: true });

/** Of strangers, and of those who must be granted something: to others nothing can be given where nothing is. */
const whereGranted = (circumstance: Circumstance): Circumstance => ({ ...circumstance, askers: ['stranger', 'login', 'valid-token'] });

/** Below what every server reads (8,000 octets, RFC 9112 section 3), and what routers and caches cut off. */
const longPaths = [300, 2000, 7500];
const tooLong: Allowance = { ...missing, anyRefusal: true };

/** Routers may know a member by its number. */
const noMember = 987_654_321;

const unknownPaths = ({ collections: [first, ...others], named = [] }: Scene): Circumstance[] => [
  ...others
    .slice(0, 1)
    .flatMap((name): Circumstance[] => [
      { ...below(`/${name}/1`, `the address is a member of ${name}`, missing), askers: ['stranger'] },
      plainly(below(`/${name}/${noMember}`, `the address is a member of ${name} that does not exist`, missing)),
    ]),
  ...named.map((path) => below(path, `the address is ${path}, which a document of the service names`, missing)),
  below('', 'the address is the entry point (the base URL)', base),
  whereGranted(below('/', 'the address is the entry point (the base URL) with a slash', base)),
  below(`/${first}/1`, 'the address is a member of the collection', missing),
  plainly(below(`/${first}/${noMember}`, 'the address is a member that does not exist, by a number', missing)),
  whereGranted(below(`/${first}/no-such-member`, 'the address is a member that does not exist', missing)),
  below('/no-such-collection', 'the address does not exist', missing),
  whereGranted(below(`/${first}/1/parts`, 'the address is three levels deep', missing)),
  ...longPaths.map(
    (length): Circumstance => ({
      ...plainly(below(`/${'x'.repeat(length)}`, `the address has ${length} characters`, tooLong)),
      id: `address of ${length} characters`,
    }),
  ),
  // Where the guard lets such a path by, it does so for whoever asks.
  ...looksStatic.map((path): Circumstance => ({ ...below(path, `the address is ${path}`, missing), askers: ['stranger'] })),
  ...standsAside.map((path) => plainly(below(path, `the address is ${path}`, missing))),
];

const everywhere = { login: 'exchange.any-endpoint', 'valid-token': 'token.any-endpoint' } as const;
/** The rows that speak of collections, the first one among them. */
export const ofCollections: Tells = { stranger: 'protection.collections', ...everywhere };
const ofVocabulary: Tells = { stranger: 'protection.vocabulary', ...everywhere, 'valid-token': 'token.vocabulary' };

/** Every address is protected, and a token opens each that exists. */
export const address: Dimension = {
  name: 'address',
  values: (scene) => [
    none,
    ...scene.collections
      .slice(1, 4)
      .map((name, index) => ({ ...below(`/${name}`, `the address is collection number ${index + 2}`), tells: ofCollections })),
    { ...below(scene.vocabulary, 'the address is the vocabulary'), tells: ofVocabulary },
    ...unknownPaths(scene),
  ],
  tells: { stranger: 'protection.unknown-paths', ...everywhere },
};
