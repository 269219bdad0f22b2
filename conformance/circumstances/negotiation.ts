import { beforeChallenge, bundled, headerLines, line, masking, withHeaders } from './circumstance.js';

const notAcceptable = { granted: [406], ...beforeChallenge(406) } as const;

export const accept = headerLines('Accept', [
  {
    id: 'Accept: its own media type',
    words: 'the request accepts the media type of the service',
    change: (draft, { mediaType }) => withHeaders(['Accept', mediaType])(draft),
  },
  line('Accept', 'application/json', notAcceptable),
  line('Accept', 'text/html', notAcceptable),
  line('Accept', 'text/plain', notAcceptable),
  masking(line('Accept', '*/*;q=0', notAcceptable)),
]);

export const encoding = bundled('other negotiation', [
  line('Accept-Encoding', 'gzip, deflate, br'),
  line('Accept-Language', 'tlh'),
  line('Accept-Language', 'de-DE,de;q=0.9,fr;q=0.8'),
  line('Accept-Charset', 'iso-8859-1', notAcceptable),
  line('Prefer', 'return=minimal'),
]);
