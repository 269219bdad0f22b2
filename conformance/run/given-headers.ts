import { OptionError, type Protocol } from '../../spec/index.js';
import type { HeaderLine } from '../wire/index.js';

const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~]*[!-~])[ \t]*$/;
/** What frames a message, or says whom it is for, is the client's own affair. */
const ofMessages = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** Header lines for a gateway before the service, as `Name: value`. */
export function givenHeaders(given: readonly string[], { headers }: Protocol): readonly HeaderLine[] {
  const refused = new Set([...[headers.nonce, headers.token, headers.authorization].map((name) => name.toLowerCase()), ...ofMessages]);
  return given.map((each, index) => {
    const [, name, value] = line.exec(each) ?? [];
    if (name === undefined || value === undefined)
      // What is written there may be the key of a gateway.
      throw new OptionError('headers', `number ${index + 1} is no header line; "Name: value" is expected, in printable ASCII`);
    if (refused.has(name.toLowerCase()))
      throw new OptionError('headers', `${name} is not allowed; the checks themselves send or leave out ${[...refused].join(', ')}`);
    return [name, value];
  });
}
