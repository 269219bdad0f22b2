import { server as hapi } from '@hapi/hapi';
import type * as Plugin from '../../reference-server/hapi.js';
import { built } from '../build.js';
import { settingsOf } from '../children.js';
import { serving } from './usage.js';

/** The plugin as a user registers it, from the build, on a server like the bare one. */
const { hydraAuth } = (await import(built('reference-server', 'hapi.js'))) as typeof Plugin;
const { user, document } = settingsOf<{ user: { id: number; paraphrase: string }; document: object }>();
const text = JSON.stringify(document);
const server = hapi({ host: '127.0.0.1', port: 0, compression: false, debug: false, routes: { response: { ranges: false } } });
await server.register({ plugin: hydraAuth, options: { users: [user], basePath: '/api' } });
server.route({ method: 'GET', path: '/api/{collection}', handler: () => text });
await server.start();
serving({ url: `http://127.0.0.1:${server.info.port}/api` });
