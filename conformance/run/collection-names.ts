import { OptionError } from '../../spec/index.js';

/** Characters that stand in a path as they are (RFC 3986, section 3.3); a percent sign begins an octet that is encoded already. */
const others = /[^\w.~!$&'()*+,;=:@%/-]+/g;

/** The names of collections as they stand in an address, each once. What a person writes is percent-encoded for them. */
export function collectionsOf(given: readonly string[] = []): readonly [string, ...string[]] {
  const [first, ...more] = [...new Set(given.map(encoded))];
  if (first === undefined)
    throw new OptionError('collections', 'at least one collection of the service is needed, by its name below the base URL');
  return [first, ...more];
}

function encoded(given: string): string {
  const name = String(given).replace(/^\/+/, '');
  const refuse = (why: string) => new OptionError('collections', `${JSON.stringify(given)} is no path below the base URL: ${why}`);
  if (name === '') throw refuse('it is empty');
  if (/[?#]/.test(name)) throw refuse('a question mark or number sign ends a path; write %3F or %23 where it is part of the name');
  if (/%(?![0-9a-f]{2})/i.test(name)) throw refuse('a percent sign begins an encoded octet; write %25 where it is part of the name');
  if (name.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))) throw refuse('it leads to another address');
  try {
    return name.replace(others, encodeURIComponent);
  } catch {
    throw refuse('it is not valid Unicode');
  }
}
