import type * as Reference from '../../reference-server/index.js';
import { built } from '../build.js';
import { answerWith, settingsOf, tell } from '../children.js';
import { usage } from './usage.js';

/** The reference server as a user starts it, from the build. */
const { startReferenceServer } = (await import(built('reference-server', 'index.js'))) as typeof Reference;
const server = await startReferenceServer({ recordLast: 0, ...settingsOf<Reference.StartOptions>() });
answerWith(usage);
tell({ url: server.url, clock: server.clockUrl });
