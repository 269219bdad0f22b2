import { type Json, type Pointer, Reader } from './document.js';
import { durationMs } from './duration.js';
import type { components } from './generated/openapi.js';
import { asKey, asValue, literalFinders } from './literals.js';
import { keyFormOf, refuseImpossible } from './possible.js';
import { shapeWords } from './shape.js';
import { specFiles } from './source.js';

/** What the protocol says, by meaning. Server and suite know its literals from here and nowhere else. */
export type Protocol = ReturnType<typeof readProtocol>['protocol'];

const schemes: Pointer = ['components', 'securitySchemes'];
const baseUrl = '{base_url}';

/** Finds every literal of the protocol in the OpenAPI document, and makes sure that places which must agree do. */
export function readProtocol(openapi: Json, file: string = specFiles.openapi) {
  const reader = new Reader(file, openapi);
  const { literals, found, value, pattern, headerName, fixedHeaders, status, body, mediaType } = literalFinders(reader);

  const authenticatePointer = ['components', 'headers', 'Authenticate', 'schema', 'const'];
  const authenticate = reader.text(authenticatePointer);
  const asked = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) realm="((?:[^"\\]|\\.)*)"$/.exec(authenticate);
  if (asked === null) return reader.problem(authenticatePointer, `a scheme and a quoted realm are expected, not ${authenticate}`);
  const scheme = reader.text([...schemes, 'credentials', 'scheme']);
  if (scheme.toLowerCase() !== asked[1]?.toLowerCase()) {
    return reader.problem([...schemes, 'credentials', 'scheme'], `the scheme is ${asked[1]} in ${authenticate}; the same is expected here`);
  }

  found('scheme', 'value', asked[1] as string, [
    { ...asValue(...authenticatePointer), within: authenticate.replace(/^\S+/, '*') },
    asValue(...schemes, 'credentials', 'scheme'),
  ]);
  found('realm', 'value', asked[2] as string, [
    { ...asValue(...authenticatePointer), within: authenticate.replace(`"${asked[2]}"`, '"*"') },
  ]);

  const lifetimePointer = [...schemes, 'token', 'x-lifetime'];
  const lifetime = reader.text(lifetimePointer);
  const lifetimeMs = durationMs(lifetime);
  if (lifetimeMs === undefined) return reader.problem(lifetimePointer, `an ISO 8601 duration such as PT30M is expected, not ${lifetime}`);
  found('token lifetime', 'duration', lifetime, [asValue(...lifetimePointer)]);

  const targetPointer = ['components', 'headers', 'ApiDocumentation', 'x-link', 'target'];
  const target = reader.text(targetPointer);
  const path = target.startsWith(`${baseUrl}/`)
    ? target.slice(baseUrl.length)
    : reader.problem(targetPointer, `${baseUrl} and a path are expected, not ${target}`);
  if (reader.object(['paths'])[path] === undefined) return reader.problem(targetPointer, `there is no path ${path} in this document`);
  found('vocabulary path', 'path', path, [{ ...asValue(...targetPointer), within: `${baseUrl}*` }, asKey('paths', path)]);

  const keysPointer = ['components', 'schemas', 'StatusKeyedError', 'patternProperties'];
  const [errorKey, ...more] = Object.keys(reader.object(keysPointer));
  if (errorKey === undefined || more.length > 0) return reader.problem(keysPointer, 'one pattern is expected');
  const errorKeyForm =
    keyFormOf(errorKey) ??
    reader.problem(
      [...keysPointer, errorKey],
      'a pattern of plain text and three digits for the status is expected, such as ^[1-5][0-9]{2}$ or ^error-[1-5][0-9]{2}$',
    );
  found('error key', 'key-pattern', errorKey, [asKey(...keysPointer, errorKey)]);
  const noncePattern = pattern('nonce shape', 'Nonce');
  const tokenPattern = pattern('token shape', 'Token');

  const fixed = fixedHeaders({ AllowOrigin: 'allowed origin' }, ['Authenticate']);
  const allowOrigin = fixed['AllowOrigin'] ?? reader.problem(['components', 'headers', 'AllowOrigin'], 'one value (const) is expected');

  const protocol = {
    mediaType: mediaType(),
    headers: {
      contentType: 'Content-Type',
      authorization: 'Authorization',
      nonce: headerName('nonce', 'Nonce', [...schemes, 'nonce', 'name']),
      token: headerName('token', 'Token', [...schemes, 'token', 'name']),
      authenticate: headerName('challenge', 'Authenticate'),
      link: headerName('link', 'ApiDocumentation'),
      allowOrigin: allowOrigin.name,
      contentLength: headerName('length', 'ContentLength'),
      date: headerName('date', 'Date'),
    },
    challenge: {
      status: status('the challenge', 'Challenge'),
      body: body('challenge', 'ChallengeBody') as components['schemas']['ChallengeBody'],
      /** The whole header value, and its two meanings. */
      authenticate,
      scheme: asked[1] as string,
      realm: (asked[2] as string).replace(/\\(.)/g, '$1'),
      noncePattern,
      /** The shape in words. */
      nonceWords: shapeWords(noncePattern),
    },
    exchange: {
      status: status('what is granted', 'CollectionGranted', 'VocabularyGranted'),
      body: body('exchange', 'ExchangeBody') as components['schemas']['ExchangeBody'],
      tokenPattern,
      tokenWords: shapeWords(tokenPattern),
    },
    token: { lifetime, lifetimeMs },
    /** The link every response carries: its relation, and the path of its target below the base URL. */
    link: { relation: value('link relation', 'components', 'headers', 'ApiDocumentation', 'x-link', 'relation'), path },
    allowOrigin: allowOrigin.value,
    /** Headers with one value, by their components. A row of the catalogue names the one that it requires. */
    fixed,
    datePattern: pattern('date shape', 'Date'),
    /** The key of an error body, with a star where its status stands. */
    errorKeyForm,
  } as const;
  refuseImpossible(literals, Object.values(protocol.headers), reader);
  return { protocol, literals };
}
