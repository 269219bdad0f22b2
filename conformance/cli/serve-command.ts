import type { Run } from './command.js';
import { type ServeOptions, serve } from './serve.js';

export const run: Run = async (args, io) => {
  const options: { [Name in keyof ServeOptions]: ServeOptions[Name] | undefined } = {
    port: args.text('port'),
    host: args.text('host'),
    basePath: args.text('base-path'),
    collection: args.texts('collection'),
    user: args.texts('user'),
    usersFile: args.text('users-file'),
    auth: args.text('auth'),
    tokens: args.text('tokens'),
    clock: args.text('clock'),
    store: args.text('store'),
    fault: args.text('fault'),
    variant: args.text('variant'),
    json: args.flag('json'),
  };
  return serve(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)), io);
};
