import { STATUS_CODES } from 'node:http';
import type { Answer, HeaderLine, Wire } from './parts.js';

/** Writes answers as they are. Node.js frames the message and adds nothing else: its own Date is off, ours stands among the lines. */
export function makeWire(): Wire {
  return {
    send({ status, reason, headers, body }, { method, injected, raw: { res } }) {
      res.sendDate = false;
      if (reason !== undefined) res.statusMessage = reason;
      if (injected) {
        for (const [name, value] of headers) res.appendHeader(name, value); // what inject returns, it reads back from these
        res.writeHead(status);
      } else {
        res.writeHead(status, flat(headers));
      }
      if (method === 'HEAD') res.end();
      else res.end(body);
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

/** Names and values in turn. (Array.prototype.flat takes ten times as long.) */
function flat(headers: readonly HeaderLine[]): string[] {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  return lines;
}
