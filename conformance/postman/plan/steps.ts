import type { Protocol } from '../../../spec/index.js';
import { askForNonce, type Check, check, type Folder, folder, loginWith, type Row, row } from './row.js';

/** The origin that requests name where it must make no difference. */
const origin = { Origin: 'https://hydrauth.example' };
const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const first = { of: 'exchange.first' };
const second = { of: 'token.second-exchange' };

/** The three steps, and rule 1. */
export function stepFolders(protocol: Protocol): Folder[] {
  const { challenge, exchange, headers, link, allowOrigin } = protocol;
  const asked = `asks for ${challenge.scheme} credentials in the realm "${challenge.realm}"`;
  const anyOrigin = (place: string) =>
    check('headers.allow-origin', `${headers.allowOrigin} is ${allowOrigin} also for a request that names an origin, on ${place}`);
  return [
    folder('challenge', 'A', 'Step A: challenge', 'A read without credentials is challenged, each time with a new nonce.', [
      row('challenge.first', 'Read the collection without credentials', {
        shows: 'The challenge, whole.',
        keeps: 'challenge',
        otherwise: 'the first read was not refused, see challenge.status',
        checks: [
          check('challenge.status', `answers ${challenge.status}`),
          check('challenge.www-authenticate', asked),
          check('challenge.nonce', `carries a nonce in ${headers.nonce}`),
          check('challenge.nonce-shape', `the nonce has the shape of ${challenge.nonceWords}`),
          check('challenge.body', oneMember(challenge.body)),
          ...everywhere(protocol, 'the challenge'),
        ],
      }),
      row('challenge.second', 'Read it again, naming an origin', {
        shows: 'A second challenge has a nonce of its own, and an Origin makes no difference.',
        headers: origin,
        keeps: 'nonce',
        otherwise: 'Step A gave no nonce',
        checks: [
          check('challenge.nonce-newly-issued', 'the second nonce is another one', { compared: 'challenge.first' }),
          anyOrigin('the challenge'),
        ],
      }),
    ]),
    folder('exchange', 'B', 'Step B: exchange', 'The same read with the nonce and the credentials is answered with a token.', [
      loginWith('challenge.second', 'exchange.first', 'Exchange the nonce and the credentials for a token', {
        shows: 'The exchange, whole.',
        otherwise: 'Step B gave no token',
        checks: [
          check('exchange.status', `answers ${exchange.status}`),
          check('exchange.token', `carries a token in ${headers.token}`),
          check('exchange.token-shape', `the token is of ${exchange.tokenWords}`),
          check('exchange.body', oneMember(exchange.body)),
          ...everywhere(protocol, 'the exchange'),
        ],
      }),
    ]),
    folder(
      'token',
      'C',
      'Step C: token use',
      'The token alone opens every address, any number of times, and a second login takes nothing from it.',
      [
        row('token.first-use', 'Read the collection with the token alone', {
          shows: 'The token is sufficient.',
          token: first,
          keeps: 'resource',
          otherwise: 'the token did not open the collection, see token.sufficient',
          checks: [check('token.sufficient', 'opens the collection'), ...everywhere(protocol, 'the collection')],
        }),
        row('token.second-use', 'Read it again with the same token', {
          shows: 'The token can be used again.',
          token: first,
          after: ['token.first-use'],
          keeps: 'served',
          otherwise: 'the token could not be used twice, see token.reusable',
          checks: [check('token.reusable', 'opens the collection a second time')],
        }),
        row('token.with-origin', 'Read the collection from a page of another origin', {
          shows: 'The token is sufficient whatever page asks.',
          token: first,
          headers: origin,
          after: ['token.second-use'],
          checks: [check('token.sufficient', 'opens the collection for a request that names an origin'), anyOrigin('the collection')],
        }),
        askForNonce('token.second-challenge', 'Ask for a nonce for a second login', ['exchange.first']),
        loginWith('token.second-challenge', 'token.second-exchange', 'Log in a second time while the first token lives', {
          shows: 'A second exchange gives another token.',
          otherwise: 'the second login gave no token',
          checks: [
            check('exchange.status', `answers ${exchange.status} to a second login`),
            check('exchange.token-unique', 'the second token is another one', { compared: 'exchange.first' }),
          ],
        }),
        row('token.vocabulary', 'Read the vocabulary with the second token', {
          shows: 'A token issued on the collection opens the vocabulary.',
          to: 'vocabulary',
          token: second,
          needs: ['token.first-use'],
          checks: [
            check('token.any-endpoint', 'a token issued on the collection opens the vocabulary'),
            check('token.vocabulary', `${link.path} is served`),
            ...everywhere(protocol, 'the vocabulary'),
          ],
        }),
        row('token.older', 'Read the collection with the first token again', {
          shows: 'The second login did not end the first token.',
          token: first,
          after: ['token.second-use', 'token.second-exchange'],
          checks: [check('token.independent', 'the older token still opens the collection')],
        }),
      ],
    ),
    // Methods that could change something are sent without credentials only, and only to a target that refused the first read.
    folder(
      'protection',
      'P',
      'Rule 1: every request is protected',
      'Other addresses and methods are challenged like the first read, also after somebody has logged in.',
      [
        stranger('collection', 'Read the collection without credentials, after the login', {
          behind: ['exchange.first'],
          checks: [check('protection.collections', 'still challenges a stranger after a login')],
        }),
        stranger('vocabulary', 'Read the vocabulary without credentials', {
          to: 'vocabulary',
          keeps: 'guarded',
          otherwise: 'the vocabulary was not seen to refuse strangers, see protection.vocabulary',
          checks: [check('protection.vocabulary', 'challenges the vocabulary')],
        }),
        stranger('nowhere', 'Read a path that does not exist, without credentials', {
          to: 'nowhere',
          checks: [check('protection.unknown-paths', 'challenges an unknown path')],
        }),
        ...methods.map((method) =>
          stranger(method.toLowerCase(), `${method} on the collection without credentials`, {
            method,
            checks: [check('protection.methods', `challenges ${method}`)],
          }),
        ),
        stranger('forwarded', 'Read the vocabulary as if from the host itself, without credentials', {
          to: 'vocabulary',
          headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1' },
          needs: ['challenge.first', 'protection.vocabulary'],
          checks: [check('protection.headers', 'challenges a read of the vocabulary that claims to come from the host itself')],
        }),
        stranger('query', 'Read the vocabulary with a query, without credentials', {
          to: 'vocabulary',
          query: '?_method=GET&token=x',
          needs: ['challenge.first', 'protection.vocabulary'],
          checks: [check('protection.queries', 'challenges the vocabulary with a query')],
        }),
        row('errors.nowhere', 'Read a path that does not exist, with the token', {
          shows: 'Another error is keyed by its status.',
          to: 'nowhere',
          token: second,
          checks: [check('errors.status-keyed', 'an error for an unknown path is keyed by its status')],
        }),
      ],
    ),
  ];
}

function stranger(id: string, name: string, given: Partial<Row>): Row {
  return row(`protection.${id}`, name, { shows: 'A stranger gets the challenge.', needs: ['challenge.first'], ...given });
}

/** What every answer of the three steps has: the headers, and a body that parses. */
function everywhere({ headers, mediaType, allowOrigin }: Protocol, place: string): Check[] {
  const rows: [requirement: string, what: string][] = [
    ['headers.content-type', `${headers.contentType} is ${mediaType}`],
    ['headers.link', `${headers.link} leads to the API documentation`],
    ['headers.allow-origin', `${headers.allowOrigin} is ${allowOrigin}`],
    ['headers.content-length', `${headers.contentLength} counts the octets`],
    ['headers.date', `there is a ${headers.date}`],
    ['headers.date-format', `${headers.date} is an IMF-fixdate`],
    ['jsonld.parses', 'the body is JSON in UTF-8'],
  ];
  return rows.map(([requirement, what]) => check(requirement, `${what}, on ${place}`));
}

function oneMember(body: Readonly<Record<string, string>>): string {
  return `the body has the one member ${Object.entries(body).map(([key, message]) => `"${key}": "${message}"`)}`;
}
