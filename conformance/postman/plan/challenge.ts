import type { Protocol } from '../../../spec/index.js';
import { anyOrigin, everywhere, oneMember, origin } from './everywhere.js';
import { check, type PlannedFolder, request } from './request.js';

export function challengeFolder(protocol: Protocol): PlannedFolder {
  const { challenge, headers } = protocol;
  const asked = `asks for ${challenge.scheme} credentials in the realm "${challenge.realm}"`;
  return {
    id: 'challenge',
    name: 'Step A: challenge',
    about: 'A read without credentials is challenged, each time with a new nonce.',
    requests: [
      request({
        id: 'challenge.first',
        name: 'A1 Read the collection without credentials',
        shows: 'The challenge, whole.',
        sets: ['challenged', 'first_nonce'],
        keep: 'h.keepChallenge();',
        checks: [
          check('challenge.status', `answers ${challenge.status}`, 'h.hasStatus(h.protocol.challenge.status)'),
          check('challenge.www-authenticate', asked, 'h.onChallenge(h.asksForCredentials)'),
          check('challenge.nonce', `carries a nonce in ${headers.nonce}`, 'h.onChallenge(h.hasNonce)'),
          check('challenge.nonce-shape', `the nonce has the shape of ${challenge.nonceWords}`, 'h.onChallenge(h.nonceShaped)'),
          check('challenge.body', oneMember(challenge.body), 'h.onChallenge(() => h.hasBody(h.protocol.challenge.body))'),
          ...everywhere(protocol, 'the challenge', 'onChallenge'),
        ],
      }),
      request({
        id: 'challenge.second',
        name: 'A2 Read it again, naming an origin',
        shows: 'A second challenge has a nonce of its own, and an Origin makes no difference.',
        headers: origin,
        sets: ['nonce'],
        keep: "h.keepNonce('nonce');",
        checks: [
          check('challenge.nonce-newly-issued', 'the second nonce is another one', 'h.anotherNonce()', ['challenge.first']),
          anyOrigin(protocol, 'the challenge', 'onChallenge'),
        ],
      }),
    ],
  };
}
