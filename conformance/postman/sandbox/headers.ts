import type { Protocol } from '../../../spec/index.js';
import { allowOrigin, contentType, date, dateFormat, linkFrom, octetCount, type Resolve } from '../../expect/index.js';
import { headerValues } from '../../wire/index.js';
import type { Received } from './answer.js';
import type { Pm } from './pm.js';
import { judged, untested } from './verdict.js';

/** The checks of headers that every answer of the three steps has. */
export function headerChecks(pm: Pm, protocol: Protocol, { answer }: Received, resolve: Resolve) {
  return {
    contentType: () => judged(contentType(answer, protocol)),
    link: () => judged(linkFrom(answer, protocol, pm.variables.get('base_url') ?? '', pm.request.url.toString(), resolve)),
    allowOrigin: () => judged(allowOrigin(answer, protocol)),
    // Postman unpacks a body that has a content coding, so that its octets on the wire are not known here.
    contentLength: () =>
      judged(octetCount(answer, protocol, headerValues(answer, 'Content-Encoding').length > 0 ? undefined : answer.body.length)),
    date: () => judged(date(answer, protocol)),
    dateFormat: () => {
      if (!date(answer, protocol).ok) untested(`there is no ${protocol.headers.date}`);
      judged(dateFormat(answer, protocol));
    },
  };
}
