import { startReferenceServer } from '../index.js';

/** An instance in a process of its own, for a test that kills it: prints its URL and lives until it is ended. */
const [store = ''] = process.argv.slice(2);
const server = await startReferenceServer({ store, users: [] });
process.stdout.write(`${server.url}\n`);
