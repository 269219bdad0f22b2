import http, { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settingsOf } from '../children.js';
import { serving } from './usage.js';

/** What somebody would write with Node.js alone. */
const { hostname, port, pathname } = new URL(settingsOf<{ baseUrl: string }>().baseUrl);
const agent = new http.Agent({ keepAlive: true });
const server = createServer((req, res) => {
  const { method = '', url: path = '', headers } = req;
  const asking = http.request({ hostname, port, agent, method, path, headers }, (came) => {
    res.writeHead(came.statusCode ?? 0, came.headers);
    came.pipe(res);
  });
  req.pipe(asking);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
serving({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}` });
