import type { IncomingMessage } from 'node:http';
import type { Problem } from './login.js';

/**
 * Why a request is not passed on with a token. A name that leads here by DNS is not ours, and pages of other sites may reach us through a browser:
 * they give themselves away by Sec-Fetch-Site or, where a browser does not send it (WebSocket), by Origin.
 */
export function refusalOf({ method, url = '', headers }: IncomingMessage, port: string): Problem | undefined {
  const { host = '', origin } = headers;
  const [, name, namedPort = '80'] = /^(127\.0\.0\.1|localhost)(?::(\d+))?$/i.exec(host) ?? [];
  if (name === undefined || namedPort !== port)
    return { status: 421, text: `This proxy answers only requests to 127.0.0.1:${port} and localhost:${port}.` };
  if (!url.startsWith('/')) return { status: 421, text: 'This proxy stands for one service; ask it for a path, not for a whole address.' };
  const isOfAnotherSite = origin !== undefined && (!URL.canParse(origin) || new URL(origin).hostname !== name.toLowerCase());
  if (isOfAnotherSite || headers['sec-fetch-site'] === 'cross-site')
    return { status: 403, text: 'Pages of other sites may not use this proxy.' };
  // It would send the token back.
  if (method === 'TRACE') return { status: 405, text: 'This proxy does not pass TRACE on.' };
  return undefined;
}
