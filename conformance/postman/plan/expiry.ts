import type { Protocol } from '../../../spec/index.js';
import { askForNonce, exchangeWith, noNonce, refusedCheck, stateOf, toBeRefused } from './refusals.js';
import { check, keepServed, type PlannedFolder, type PlannedRequest, request, tokenHeaders } from './request.js';

/** How near to the end of the lifetime a token is tried, before and after. */
const marginMs = 2000;
const margin = `${marginMs / 1000} s`;
const noClock = { clock_url: 'the variable clock_url is not set; expiry needs a clock' };
const noLogin = 'the login gave no token';
const unopened = 'the token was not accepted when it was new';
const once = 'the token could not be used twice, see token.reusable';
const still = 'the clock was not moved';

/** What each of these requests must not lack, by the request that brings it about: the clock, and more. */
const needs = (reasons: Record<string, string>) => ({
  ...noClock,
  ...Object.fromEntries(Object.entries(reasons).map(([id, reason]) => [stateOf(id), reason])),
});

/** One lifetime on the target's clock, with two tokens: one rests, one is used on the way. */
export function expiryFolder(protocol: Protocol): PlannedFolder {
  const { lifetime, lifetimeMs } = protocol.token;
  const halfMs = Math.floor(lifetimeMs / 2);
  const advance = (id: string, name: string, advanceMs: number, before: string): PlannedRequest =>
    request({
      id,
      name,
      shows: 'Moves the clock of the target.',
      method: 'POST',
      url: '{{clock_url}}',
      headers: { [protocol.headers.contentType]: 'application/json' },
      body: JSON.stringify({ advanceMs }),
      after: [before],
      needs: needs({ [before]: still }),
      sets: [stateOf(id)],
      keep: `h.keepClock('${stateOf(id)}', ${advanceMs});`,
      advanceMs,
      toClock: true,
    });
  const login = (id: string, which: string, number: number, reasons: Record<string, string>): PlannedRequest[] => [
    askForNonce(`${id}.challenge`, `E${number} Ask for a nonce for ${which}`, { needs: needs(reasons) }),
    exchangeWith(protocol, `${id}.challenge`, {
      id: `${id}.exchange`,
      name: `E${number + 1} Log in for ${which}`,
      shows: 'Arranges the requests after it.',
      needs: needs({ [`${id}.challenge`]: noNonce }),
      sets: [stateOf(`${id}.exchange`)],
      keep: `h.keepToken('${stateOf(`${id}.exchange`)}');`,
    }),
  ];
  const use = (token: string, given: Partial<PlannedRequest> & Pick<PlannedRequest, 'id' | 'name' | 'shows'>): PlannedRequest =>
    request({ headers: tokenHeaders(protocol, stateOf(token)), sets: [stateOf(given.id)], keep: keepServed(stateOf(given.id)), ...given });
  const honoured = (id: string, name: string, before: string, moved: string, when: string): PlannedRequest =>
    use('use.exchange', {
      id,
      name,
      shows: 'The token is still honoured.',
      after: [before, moved],
      needs: needs({ 'use.exchange': noLogin, 'use.again': once, [moved]: still }),
      checks: [
        check(
          'expiry.valid-until',
          `opens the collection ${when} its lifetime`,
          `if (!h.served()) h.withinLifetime('${stateOf('use.exchange')}', '${stateOf('rest.exchange')}');\nh.isServed('the collection');`,
        ),
      ],
    });
  const expired = (id: string, name: string, token: string, control: string, why: string): PlannedRequest =>
    toBeRefused({
      id,
      name,
      headers: tokenHeaders(protocol, stateOf(token)),
      after: [control, 'expiry.past'],
      needs: needs({ 'expiry.past': still, [control]: why, 'use.again': once }),
    });
  const accepted = (id: string, name: string, token: string, reasons: Record<string, string>): PlannedRequest =>
    use(token, {
      id,
      name,
      shows: 'An accepted control: a token that works once, or not at all, shows nothing about expiry.',
      after: [token],
      needs: needs(reasons),
    });
  const sliding = 'refuses a token after the end of its lifetime although it was used just before';
  const unhonoured = 'the token was not honoured before the end, see expiry.valid-until';
  return {
    id: 'expiry',
    name: 'Expiry (needs clock_url)',
    about: `The token lives ${lifetime} from its issue: honoured ${margin} before the end, refused ${margin} after it, however much it was used. The clock is moved through clock_url; without it these requests are skipped.`,
    requests: [
      request({
        id: 'expiry.clock',
        name: 'E1 Read the clock',
        shows: 'The clock answers.',
        url: '{{clock_url}}',
        needs: noClock,
        sets: ['expiry_clock'],
        keep: "h.keepClock('expiry_clock', 0);",
        toClock: true,
      }),
      ...login('rest', 'the token that rests', 2, { 'expiry.clock': 'the clock did not answer' }),
      ...login('use', 'the token that is used', 4, { 'rest.exchange': noLogin }),
      accepted('rest.control', 'E6 Control: the token that will rest is accepted', 'rest.exchange', { 'rest.exchange': noLogin }),
      accepted('use.control', 'E7 Control: the token that will be used is accepted', 'use.exchange', { 'use.exchange': noLogin }),
      accepted('use.again', 'E8 Control: it is accepted a second time', 'use.exchange', { 'use.control': unopened }),
      advance('expiry.half', 'E9 Move the clock half a lifetime', halfMs, 'expiry.clock'),
      honoured('use.half', 'E10 Use the token at half its lifetime', 'use.exchange', 'expiry.half', 'at half'),
      advance('expiry.before', 'E11 Move the clock to just before the end', lifetimeMs - marginMs - halfMs, 'expiry.half'),
      honoured('use.before', 'E12 Use the token just before the end', 'use.half', 'expiry.before', `${margin} before the end of`),
      advance('expiry.past', 'E13 Move the clock to just past the end', 2 * marginMs, 'expiry.before'),
      expired('rest.past', 'E14 The token that rested, just past the end', 'rest.exchange', 'rest.control', unopened),
      expired('use.past', 'E15 The token that was used, just past the end', 'use.exchange', 'use.before', unhonoured),
      ...login('after', 'the control', 16, { 'expiry.past': still }),
      request({
        id: 'after.control',
        name: 'E18 Control: a new token is accepted',
        shows: 'The accepted control of what was refused before it.',
        headers: tokenHeaders(protocol, stateOf('after.exchange')),
        after: ['after.exchange'],
        needs: needs({ 'after.exchange': noLogin }),
        checks: [
          refusedCheck('expiry.refused-after', `refuses a token ${margin} after the end of its lifetime`, 'rest.past', 'served'),
          refusedCheck('expiry.not-sliding', sliding, 'use.past', 'served', `h.expiresAtAll('${stateOf('rest.past')}');\n`),
        ],
      }),
    ],
  };
}
