import { durationMs } from './duration.js';
import type { components } from './generated/openapi.js';
import { asKey, asValue, type Literal, type Place } from './literals.js';
import { type Pointer, Reader } from './pointer.js';
import { type Json, specFiles } from './source.js';

/** What the protocol says, by meaning. Server and suite know its literals from here and nowhere else. */
export interface Protocol {
  readonly mediaType: string;
  readonly headers: {
    readonly contentType: string;
    readonly authorization: string;
    readonly nonce: string;
    readonly token: string;
    readonly authenticate: string;
    readonly link: string;
    readonly allowOrigin: string;
    readonly contentLength: string;
    readonly date: string;
  };
  readonly challenge: {
    readonly status: number;
    readonly body: components['schemas']['ChallengeBody'];
    /** The whole header value, and its two meanings. */
    readonly authenticate: string;
    readonly scheme: string;
    readonly realm: string;
    readonly noncePattern: RegExp;
  };
  readonly exchange: {
    readonly status: number;
    readonly body: components['schemas']['ExchangeBody'];
    readonly tokenPattern: RegExp;
  };
  readonly token: { readonly lifetime: string; readonly lifetimeMs: number };
  /** The link every response carries: its relation, and the path of its target below the base URL. */
  readonly link: { readonly relation: string; readonly path: string };
  readonly allowOrigin: string;
  readonly datePattern: RegExp;
  readonly errorKeyPattern: RegExp;
}

const responses: Pointer = ['components', 'responses'];
const schemes: Pointer = ['components', 'securitySchemes'];
const baseUrl = '{base_url}';

/** Finds every literal of the protocol in the OpenAPI document, and makes sure that places which must agree do. */
export function readProtocol(openapi: Json): { protocol: Protocol; literals: readonly Literal[] } {
  const reader = new Reader(specFiles.openapi, openapi);
  const literals: Literal[] = [];

  const found = (name: string, kind: Literal['kind'], value: Json, at: readonly Place[]) => literals.push({ name, kind, value, at });

  const value = (name: string, ...pointer: string[]): string => {
    const text = reader.text(pointer);
    found(name, 'value', text, [asValue(...pointer)]);
    return text;
  };

  const pattern = (name: string, header: string): RegExp => {
    const pointer = ['components', 'headers', header, 'schema', 'pattern'];
    const expression = reader.pattern(pointer);
    found(name, 'pattern', expression.source, [asValue(...pointer)]);
    return expression;
  };

  /** The name under which responses send a header of this component, the same everywhere. */
  const headerName = (meaning: string, component: string, ...also: string[][]): string => {
    const ref = `#/components/headers/${component}`;
    const places = Object.keys(reader.object(responses)).flatMap((response) => {
      const headers = [...responses, response, 'headers'];
      if (reader.object([...responses, response])['headers'] === undefined) return [];
      return Object.entries(reader.object(headers))
        .filter(([, header]) => (header as { $ref?: string }).$ref === ref)
        .map(([name]) => asKey(...headers, name));
    });
    const at = [...places, ...also.map((pointer) => asValue(...pointer))];
    const names = at.map((place) => (place.in === 'key' ? (place.pointer.at(-1) as string) : reader.text(place.pointer)));
    const [name] = names;
    if (places.length === 0 || name === undefined) return reader.problem(responses, `no response sends a header that refers to ${ref}`);
    const odd = names.findIndex((other) => other !== name);
    if (odd >= 0) return reader.problem((at[odd] as Place).pointer, `the header is ${name} elsewhere; one name is expected`);
    found(`header name: ${meaning}`, 'header-name', name, at);
    return name;
  };

  /** The status under which the reads answer with this response, the same on every path. */
  const status = (meaning: string, ...components: string[]): number => {
    const refs = components.map((component) => `#/components/responses/${component}`);
    const at = Object.keys(reader.object(['paths'])).flatMap((path) => {
      const pointer = ['paths', path, 'get', 'responses'];
      return Object.entries(reader.object(pointer))
        .filter(([, response]) => refs.includes((response as { $ref?: string }).$ref ?? ''))
        .map(([code]) => asKey(...pointer, code));
    });
    const codes = [...new Set(at.map((place) => place.pointer.at(-1) as string))];
    const [code] = codes;
    if (code === undefined) return reader.problem(['paths'], `no read answers with ${refs.join(' or ')}`);
    if (codes.length > 1)
      return reader.problem(['paths'], `the reads answer ${meaning} with ${codes.join(' and ')}; one status is expected`);
    if (!/^[1-5][0-9]{2}$/.test(code)) return reader.problem((at[0] as Place).pointer, `${code} is no status code`);
    found(`status: ${meaning}`, 'status', code, at);
    return Number(code);
  };

  const body = (meaning: string, schema: string): Record<string, string> => {
    const pointer = ['components', 'schemas', schema, 'const'];
    const members = Object.entries(reader.object(pointer));
    const [member] = members;
    if (member === undefined || members.length !== 1) return reader.problem(pointer, 'one member is expected');
    found(`body key: ${meaning}`, 'value', member[0], [asKey(...pointer, member[0])]);
    found(`body message: ${meaning}`, 'value', reader.text([...pointer, member[0]]), [asValue(...pointer, member[0])]);
    return { [member[0]]: reader.text([...pointer, member[0]]) };
  };

  const mediaType = (): string => {
    const at = Object.keys(reader.object(responses)).flatMap((response) => {
      const pointer = [...responses, response, 'content'];
      return Object.keys(reader.object(pointer)).map((type) => asKey(...pointer, type));
    });
    const types = [...new Set(at.map((place) => place.pointer.at(-1) as string))];
    const [type] = types;
    if (type === undefined || types.length > 1)
      return reader.problem(responses, `one media type is expected, not ${types.join(' and ') || 'none'}`);
    found('media type', 'media-type', type, at);
    return type;
  };

  const authenticatePointer = ['components', 'headers', 'Authenticate', 'schema', 'const'];
  const authenticate = reader.text(authenticatePointer);
  const asked = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) realm="((?:[^"\\]|\\.)*)"$/.exec(authenticate);
  if (asked === null) return reader.problem(authenticatePointer, `a scheme and a quoted realm are expected, not ${authenticate}`);
  const scheme = reader.text([...schemes, 'credentials', 'scheme']);
  if (scheme.toLowerCase() !== asked[1]?.toLowerCase()) {
    return reader.problem([...schemes, 'credentials', 'scheme'], `the scheme is ${asked[1]} in ${authenticate}; the same is expected here`);
  }

  found('realm', 'value', asked[2] as string, [
    { ...asValue(...authenticatePointer), within: authenticate.replace(`"${asked[2]}"`, '"*"') },
  ]);

  const lifetimePointer = [...schemes, 'token', 'x-lifetime'];
  const lifetime = reader.text(lifetimePointer);
  const lifetimeMs = durationMs(lifetime);
  if (lifetimeMs === undefined || lifetimeMs <= 0)
    return reader.problem(lifetimePointer, `a duration such as PT1H is expected, not ${lifetime}`);
  found('token lifetime', 'duration', lifetime, [asValue(...lifetimePointer)]);

  const targetPointer = ['components', 'headers', 'ApiDocumentation', 'x-link', 'target'];
  const target = reader.text(targetPointer);
  const path = target.startsWith(`${baseUrl}/`)
    ? target.slice(baseUrl.length)
    : reader.problem(targetPointer, `${baseUrl} and a path are expected, not ${target}`);
  if (reader.object(['paths'])[path] === undefined) return reader.problem(targetPointer, `there is no path ${path} in this document`);
  found('vocabulary path', 'path', path, [{ ...asValue(...targetPointer), within: `${baseUrl}*` }, asKey('paths', path)]);

  const [errorKey, ...more] = Object.keys(reader.object(['components', 'schemas', 'StatusKeyedError', 'patternProperties']));
  if (errorKey === undefined || more.length > 0)
    return reader.problem(['components', 'schemas', 'StatusKeyedError', 'patternProperties'], 'one pattern is expected');

  const protocol: Protocol = {
    mediaType: mediaType(),
    headers: {
      contentType: 'Content-Type',
      authorization: 'Authorization',
      nonce: headerName('nonce', 'Nonce', [...schemes, 'nonce', 'name']),
      token: headerName('token', 'Token', [...schemes, 'token', 'name']),
      authenticate: headerName('challenge', 'Authenticate'),
      link: headerName('link', 'ApiDocumentation'),
      allowOrigin: headerName('allowed origin', 'AllowOrigin'),
      contentLength: headerName('length', 'ContentLength'),
      date: headerName('date', 'Date'),
    },
    challenge: {
      status: status('the challenge', 'Challenge'),
      body: body('challenge', 'ChallengeBody') as Protocol['challenge']['body'],
      authenticate,
      scheme: asked[1] as string,
      realm: (asked[2] as string).replace(/\\(.)/g, '$1'),
      noncePattern: pattern('nonce shape', 'Nonce'),
    },
    exchange: {
      status: status('what is granted', 'CollectionGranted', 'VocabularyGranted'),
      body: body('exchange', 'ExchangeBody') as Protocol['exchange']['body'],
      tokenPattern: pattern('token shape', 'Token'),
    },
    token: { lifetime, lifetimeMs },
    link: { relation: value('link relation', 'components', 'headers', 'ApiDocumentation', 'x-link', 'relation'), path },
    allowOrigin: value('allowed origin', 'components', 'headers', 'AllowOrigin', 'schema', 'const'),
    datePattern: pattern('date shape', 'Date'),
    errorKeyPattern: new RegExp(errorKey, 'u'),
  };
  return { protocol, literals };
}
