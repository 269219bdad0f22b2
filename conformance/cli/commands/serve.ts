import type { Command } from '../command.js';
import { faultOrVariant } from './shared.js';

export const serve: Command = {
  name: 'serve',
  summary: 'Run the reference server.',
  text: 'Prints where it listens and ends on SIGINT and SIGTERM.',
  positionals: [],
  options: [
    { name: 'port', value: 'N', whole: [0, 65_535], text: 'Port to listen on; 0 takes a free one.' },
    { name: 'host', value: 'H', text: 'Address to listen on.' },
    { name: 'base-path', value: 'P', text: 'Path of the base URL.' },
    { name: 'collection', value: 'NAME', many: true, text: 'Collections to serve.' },
    {
      name: 'user',
      value: 'ID:PARAPHRASE',
      many: true,
      text: 'Authorised users. Without any, those in HYDRAUTH_USERS, or a few built-in ones.',
    },
    { name: 'users-file', value: 'F', text: 'More of them from a file, one ID:PARAPHRASE a line.' },
    { name: 'auth', value: 'A', allowed: ['on', 'off'], default: 'on', text: 'Authentication for all requests.' },
    { name: 'tokens', value: 'T', allowed: ['on', 'off'], default: 'on', text: 'Token-based authorization within it.' },
    {
      name: 'clock',
      value: 'C',
      allowed: ['system', 'manual'],
      default: 'system',
      text: 'With manual, a listener of its own on loopback moves the clock of the server.',
    },
    { name: 'store', value: 'S', default: 'memory', text: 'Where nonces and tokens are kept: memory, or a redis:// URL.' },
    ...faultOrVariant,
    { name: 'json', text: 'Print one line of JSON with url, clock, collections and users as soon as connections are accepted.' },
  ],
  examples: [
    { line: 'hydrauth serve --port 8080 --user 1:secret --collection people', text: 'A server to write a client against.' },
    { line: 'hydrauth serve --port 0 --clock manual --json', text: 'A server for a script: free port, clock under control.' },
  ],
  exitCodes: [
    { code: 0, text: 'Ended by a signal.' },
    { code: 2, text: 'The call is wrong, or it cannot listen there.' },
    { code: 3, text: 'Its store cannot be reached.' },
  ],
};
