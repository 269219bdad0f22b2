import { bundled, type Circumstance, line, withHeaders } from './circumstance.js';

const notModified = { granted: [304, 412] } as const;

const ownTag: Circumstance = {
  id: 'own ETag',
  words: 'If-None-Match names the ETag of the resource',
  change: (draft, { etag }) => withHeaders(['If-None-Match', etag ?? '"x"'])(draft),
  allows: notModified,
};

export const conditional = [
  bundled('condition', [
    line('If-None-Match', '*', notModified),
    line('If-None-Match', '"x"', notModified),
    ownTag,
    line('If-Match', '"x"', notModified),
  ]),
  bundled('condition of time', [
    line('If-Modified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', notModified),
    line('If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT', notModified),
    line('If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', notModified),
  ]),
];

export const caching = bundled('cache', [
  line('Cache-Control', 'no-cache'),
  line('Cache-Control', 'only-if-cached', { granted: [504] }),
  line('Pragma', 'no-cache'),
  line('Range', 'bytes=0-0', { granted: [206, 416] }),
]);
