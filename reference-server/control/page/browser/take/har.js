/** @import { Exchange, LiveFacts } from '../types.js' */

/**
 * The exchanges as an HTTP archive (HAR 1.2), which browsers and proxies can open.
 *
 * @param {readonly Exchange[]} exchanges
 * @param {LiveFacts} facts
 */
export function harText(exchanges, { url, version }) {
  const { origin } = new URL(url);
  const entries = exchanges.map(
    ({ number, atMs, connection, method, target, headers, status, answerHeaders, body, bodyOctets, step, reason }) => ({
      startedDateTime: new Date(atMs).toISOString(),
      time: 0,
      request: {
        method,
        url: origin + target,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: named(headers),
        queryString: queryOf(target),
        headersSize: -1,
        bodySize: -1,
      },
      response: {
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: named(answerHeaders),
        content: { size: bodyOctets, mimeType: headerOf(answerHeaders, 'content-type'), text: body },
        redirectURL: headerOf(answerHeaders, 'location'),
        headersSize: -1,
        bodySize: bodyOctets,
      },
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
      connection: String(connection),
      comment: `Exchange ${number}, step ${step}: ${reason}`,
    }),
  );
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'hydrauth', version }, entries } }, null, 1);
}

/** @param {Exchange['headers']} headers */
function named(headers) {
  return headers.map(([name, value]) => ({ name, value }));
}

/** @param {string} target */
function queryOf(target) {
  const [, query = ''] = target.split(/\?(.*)/s);
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

/**
 * @param {Exchange['headers']} headers
 * @param {string} wanted
 */
function headerOf(headers, wanted) {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
