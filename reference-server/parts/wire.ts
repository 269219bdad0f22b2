import { STATUS_CODES } from 'node:http';
import type { Answer, Wire } from './parts.js';

/** Writes answers as they are. */
export function makeWire(): Wire {
  return {
    send({ body }, { raw: { res } }) {
      res.end(body.toString('latin1'), 'latin1'); // Node joins head and body to one piece where both are text
    },
    reject(answer, socket) {
      socket.end(octetsOf(answer));
    },
  };
}

/** A whole answer as it stands on the wire, the last one of its connection. */
export function octetsOf({ status, reason, headers, body }: Answer): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${reason ?? STATUS_CODES[status] ?? 'Unknown'}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
