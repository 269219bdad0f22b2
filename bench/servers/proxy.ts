import type * as Client from '../../conformance/client/index.js';
import { built } from '../build.js';
import { settingsOf } from '../children.js';
import { serving } from './usage.js';

/** The proxy as `hydrauth proxy` starts it, from the build. */
const { openProxy } = (await import(built('conformance', 'client', 'index.js'))) as typeof Client;
const { url } = await openProxy(settingsOf<Parameters<typeof openProxy>[0]>());
serving({ url });
