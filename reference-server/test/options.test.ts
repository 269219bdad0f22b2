import { expect, test } from 'vitest';
import {
  createReferenceServer,
  manualClock,
  OptionError,
  type ReferenceServerOptions,
  startReferenceServer,
  systemClock,
} from '../index.js';

const wrong: [Record<string, unknown>, string][] = [
  [{ prot: 1 }, 'prot: there is no such option; allowed are spec, users, collections'],
  [{ port: 70_000 }, 'port: 70000 is not allowed; a whole number from 0 to 65535 is'],
  [{ port: '80' }, 'port: "80" is not allowed'],
  [{ basePath: 'api' }, 'basePath: "api" is not allowed; empty, or a path that begins with a slash'],
  [{ basePath: '/api/' }, 'basePath: "/api/" is not allowed'],
  [{ publicUrl: 'ftp://x' }, 'publicUrl'],
  [{ auth: 'yes' }, 'auth: "yes" is not allowed; on or off is'],
  [{ tokens: true }, 'tokens: true is not allowed; on or off is'],
  [{ clock: 'fast' }, 'clock: "fast" is not allowed; system, manual'],
  [{ clock: systemClock(), clockControl: true }, 'clockControl: true is not allowed with this clock'],
  [{ nonceLifetimeMs: 0 }, 'nonceLifetimeMs: 0 is not allowed'],
  [{ store: 'mongodb://x' }, 'store: "mongodb://x" is not allowed; memory, or a URL that begins with redis://'],
  [{ limits: { connection: 1 } }, 'limits.connection: there is no such limit; allowed are connections'],
  [{ limits: { connections: 0 } }, 'limits.connections: 0 is not allowed'],
  [{ limits: { headerTimeoutMs: 30_000 } }, 'limits.headerTimeoutMs: 30000 is not allowed; at most requestTimeoutMs (20000) is'],
  [{ users: [{ id: 1.5, paraphrase: 'x' }] }, 'users: the id 1.5 is not an integer; an integer such as 7 is expected'],
  [{ users: [{ id: 1, paraphrase: '' }] }, 'users: the paraphrase of user 1 is not allowed; a text that is not empty is'],
  [{ users: [{ id: 1, paraphrase: 'x', name: 'y' }] }, 'users: a user has no name'],
  [
    {
      users: [
        { id: 1, paraphrase: 'x' },
        { id: 1, paraphrase: 'y' },
      ],
    },
    'users: the id 1 stands twice',
  ],
  [{ users: '1:secret' }, 'users: a value of type string is not allowed; a list'],
  [{ users: ['1:secret'] }, 'users: a value of type string is no user; { id, paraphrase } is allowed'],
  [{ collections: [] }, 'collections: none is not allowed'],
  [{ collections: ['a/b'] }, 'collections: "a/b" is not allowed; a list of names without slash'],
  [{ collections: ['a', 'a'] }, 'collections: a stands twice'],
  [{ collections: ['vocab'] }, 'collections: vocab is not allowed; the vocabulary stands there'],
  [{ recordLast: -1 }, 'recordLast'],
  [{ parts: {} }, 'parts: a value of type object is not allowed; a function'],
  [{ spec: 7 }, 'spec'],
];

test.each(wrong)('%j throws', async (options, message) => {
  expect(() => createReferenceServer(options as ReferenceServerOptions)).toThrow(OptionError);
  expect(() => createReferenceServer(options as ReferenceServerOptions)).toThrow(message);
  await expect(startReferenceServer(options as ReferenceServerOptions)).rejects.toThrow(message);
});

test('a manual clock goes forward only, in units it knows', () => {
  const clock = manualClock('2030-01-01T00:00:00Z');
  expect(clock.advance({ minutes: 44, seconds: 59, milliseconds: 1000, ms: 1 })).toBe(Date.parse('2030-01-01T00:45:00.001Z'));
  expect(() => clock.advance({ ms: -1 })).toThrow('a clock never goes back');
  for (const by of ['45m', 45, null, undefined])
    expect(() => clock.advance(by as unknown as object)).toThrow(/^advance: .* is not allowed; an object such as { minutes: 45 } is$/);
  expect(() => clock.advance({ weeks: 1 } as object)).toThrow('there is no unit weeks; allowed are days, hours');
  expect(() => clock.advance({ days: 1e9 })).toThrow('the year 10889');
  expect(() => manualClock('tomorrow')).toThrow('tomorrow is no instant');
  expect(clock.now()).toBe(Date.parse('2030-01-01T00:45:00.001Z'));
});
