import { find, type Json, type Pointer, type Reader } from './document.js';

/** One literal or constraint of the protocol: its meaning, its value, and every place where the OpenAPI document has it. */
export interface Literal {
  readonly name: string;
  readonly kind: 'value' | 'header-name' | 'status' | 'media-type' | 'path' | 'pattern' | 'key-pattern' | 'duration';
  readonly value: Json;
  readonly at: readonly Place[];
}

/** A place holds the literal as its value, or as the last part of the pointer itself (a member's name). */
export interface Place {
  readonly pointer: Pointer;
  readonly in: 'value' | 'key';
  /** The literal as it stands here, where it is part of a longer text. */
  readonly within?: string;
}

export const asValue = (...pointer: string[]): Place => ({ pointer, in: 'value' });
export const asKey = (...pointer: string[]): Place => ({ pointer, in: 'key' });

const responses: Pointer = ['components', 'responses'];

/** What finds the literals of a document, each at all its places, and makes sure that places which must agree do. */
export function literalFinders(reader: Reader) {
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
        .filter(([, header]) => (header as { $ref?: string } | null)?.$ref === ref)
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

  /** Headers with one value, by their components: their names, their values, and the responses that carry them. */
  const fixedHeaders = (meanings: Readonly<Record<string, string>>, read: readonly string[]) => {
    const components = Object.entries(reader.object(['components', 'headers']));
    const fixed = components.filter(([component, header]) => find(header, ['schema', 'const']) !== undefined && !read.includes(component));
    return Object.fromEntries(
      fixed.map(([component]) => {
        const meaning = meanings[component] ?? component;
        const name = headerName(meaning, component);
        const on = Object.entries(reader.object(responses)).flatMap(([each, response]) => find(response, ['headers', name]) && each);
        return [component, { name, value: value(meaning, 'components', 'headers', component, 'schema', 'const'), on }];
      }),
    );
  };

  /** The status under which the reads answer with this response, the same on every path. */
  const status = (meaning: string, ...components: string[]): number => {
    const refs = components.map((component) => `#/components/responses/${component}`);
    const at = Object.keys(reader.object(['paths'])).flatMap((path) => {
      const pointer = ['paths', path, 'get', 'responses'];
      return Object.entries(reader.object(pointer))
        .filter(([, response]) => refs.includes((response as { $ref?: string } | null)?.$ref ?? ''))
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

  return { literals, found, value, pattern, headerName, fixedHeaders, status, body, mediaType };
}
