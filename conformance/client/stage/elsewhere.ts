import { randomUUID } from 'node:crypto';
import { type Protocol, spec } from '../../../spec/index.js';
import type { Answer } from '../../wire/index.js';
import type { Log } from '../traffic/index.js';
import { type Listener, listen } from './listener.js';

/** A second origin, which must never hear a secret. It serves everybody, or challenges as the service does. */
export function openElsewhere(log: Log, does: 'serves' | 'challenges', onOverrun: () => void): Promise<Listener> {
  return listen({ at: 'elsewhere', log, onOverrun, answer: async () => (does === 'serves' ? resource() : challenge(spec.protocol)) });
}

function resource(): Answer {
  return answerOf(200, 'OK', { '@id': '#elsewhere' }, []);
}

function challenge({ challenge: rules, headers }: Protocol): Answer {
  return answerOf(rules.status, 'Unauthorized', rules.body, [
    [headers.authenticate, rules.authenticate],
    [headers.nonce, randomUUID()],
  ]);
}

function answerOf(status: number, reason: string, document: object, more: Answer['headers']): Answer {
  const { mediaType, headers } = spec.protocol;
  const body = Buffer.from(JSON.stringify(document));
  const own: Answer['headers'] = [
    ['Content-Type', mediaType],
    [headers.contentLength, String(body.length)],
  ];
  return { status, reason, httpVersion: '1.1', headers: [...own, ...more], body };
}
