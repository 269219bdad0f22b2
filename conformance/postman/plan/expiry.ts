import type { Protocol } from '../../../spec/index.js';
import { askForNonce, exchangeWith, noNonce, refusedCheck, stateOf, toBeRefused } from './refusals.js';
import { type PlannedFolder, type PlannedRequest, request, tokenHeaders } from './request.js';

/** How near to the end of the lifetime a token is tried, before and after. */
const marginMs = 2000;
const noClock = { clock_url: 'the variable clock_url is not set; expiry needs a clock' };
const noLogin = 'the login gave no token';
const unopened = 'the token was not accepted when it was new';
const once = 'the token could not be used twice, see token.reusable';
const still = 'the clock was not moved';

/** One lifetime on the target's clock, with two tokens: one rests, one is used on the way. */
export function expiryFolder(protocol: Protocol): PlannedFolder {
  const { lifetimeMs } = protocol.token;
  const halfMs = Math.floor(lifetimeMs / 2);
  const advance = (id: string, name: string, advanceMs: number, after: string[]): PlannedRequest =>
    request({
      id,
      name,
      shows: 'Moves the clock of the target.',
      method: 'POST',
      url: '{{clock_url}}',
      headers: { [protocol.headers.contentType]: 'application/json' },
      body: JSON.stringify({ advanceMs }),
      after,
      needs: { ...noClock, ...Object.fromEntries(after.map((before) => [stateOf(before), still])) },
      sets: [stateOf(id)],
      keep: `h.keepClock('${stateOf(id)}', ${advanceMs});`,
      advanceMs,
      toClock: true,
    });
  const login = (id: string, which: string, number: number, needs: Record<string, string>): PlannedRequest[] => [
    askForNonce(`${id}.challenge`, `E${number} Ask for a nonce for ${which}`, { needs: { ...noClock, ...needs } }),
    exchangeWith(protocol, `${id}.challenge`, {
      id: `${id}.exchange`,
      name: `E${number + 1} Log in for ${which}`,
      shows: 'Arranges the requests after it.',
      needs: { ...noClock, [stateOf(`${id}.challenge`)]: noNonce },
      sets: [stateOf(`${id}.exchange`)],
      keep: `h.keepToken('${stateOf(`${id}.exchange`)}');`,
    }),
  ];
  const used = (id: string, name: string, token: string, after: string[], moved: string, what: string): PlannedRequest =>
    request({
      id,
      name,
      shows: 'The token is still honoured.',
      headers: tokenHeaders(protocol, stateOf(token)),
      after,
      needs: { ...noClock, [stateOf(token)]: noLogin, [stateOf('use.again')]: once, [stateOf(moved)]: still },
      sets: [stateOf(id)],
      keep: `h.set('${stateOf(id)}', h.served() ? 'yes' : '');`,
      checks: [{ requirement: 'expiry.valid-until', what, code: "if (!h.served()) h.withinLifetime();\nh.isServed('the collection');" }],
    });
  const expired = (id: string, name: string, token: string, control: string, why: string): PlannedRequest =>
    toBeRefused({
      id,
      name,
      headers: tokenHeaders(protocol, stateOf(token)),
      after: [control, 'expiry.past'],
      needs: { ...noClock, [stateOf('expiry.past')]: still, [stateOf(control)]: why, [stateOf('use.again')]: once },
    });
  const accepted = (id: string, name: string, token: string, needs: Record<string, string>): PlannedRequest =>
    request({
      id,
      name,
      shows: 'An accepted control: a token that works once, or not at all, shows nothing about expiry.',
      headers: tokenHeaders(protocol, stateOf(token)),
      after: [token],
      needs: { ...noClock, ...needs },
      sets: [stateOf(id)],
      keep: `h.set('${stateOf(id)}', h.served() ? 'yes' : '');`,
    });
  return {
    id: 'expiry',
    name: 'Expiry (needs clock_url)',
    about: `The token lives ${protocol.token.lifetime} from its issue: honoured ${marginMs / 1000} s before the end, refused ${marginMs / 1000} s after it, however much it was used. The clock is moved through clock_url; without it these requests are skipped.`,
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
      ...login('rest', 'the token that rests', 2, { expiry_clock: 'the clock did not answer' }),
      ...login('use', 'the token that is used', 4, { [stateOf('rest.exchange')]: noLogin }),
      accepted('rest.control', 'E6 Control: the token that will rest is accepted', 'rest.exchange', {
        [stateOf('rest.exchange')]: noLogin,
      }),
      accepted('use.control', 'E7 Control: the token that will be used is accepted', 'use.exchange', {
        [stateOf('use.exchange')]: noLogin,
      }),
      accepted('use.again', 'E8 Control: it is accepted a second time', 'use.exchange', { [stateOf('use.control')]: unopened }),
      advance('expiry.half', 'E9 Move the clock half a lifetime', halfMs, ['expiry.clock']),
      used(
        'use.half',
        'E10 Use the token at half its lifetime',
        'use.exchange',
        ['use.exchange', 'expiry.half'],
        'expiry.half',
        'opens the collection at half its lifetime',
      ),
      advance('expiry.before', 'E11 Move the clock to just before the end', lifetimeMs - marginMs - halfMs, ['expiry.half']),
      used(
        'use.before',
        'E12 Use the token just before the end',
        'use.exchange',
        ['use.half', 'expiry.before'],
        'expiry.before',
        `opens the collection ${marginMs / 1000} s before the end of its lifetime`,
      ),
      advance('expiry.past', 'E13 Move the clock to just past the end', 2 * marginMs, ['expiry.before']),
      expired('rest.past', 'E14 The token that rested, just past the end', 'rest.exchange', 'rest.control', unopened),
      expired(
        'use.past',
        'E15 The token that was used, just past the end',
        'use.exchange',
        'use.before',
        'the token was not honoured before the end, see expiry.valid-until',
      ),
      ...login('after', 'the control', 16, { [stateOf('expiry.past')]: still }),
      request({
        id: 'after.control',
        name: 'E18 Control: a new token is accepted',
        shows: 'The accepted control of what was refused before it.',
        headers: tokenHeaders(protocol, stateOf('after.exchange')),
        after: ['after.exchange'],
        needs: { ...noClock, [stateOf('after.exchange')]: noLogin },
        checks: [
          refusedCheck('expiry.refused-after', `refuses a token ${marginMs / 1000} s after the end of its lifetime`, 'rest.past', 'served'),
          {
            requirement: 'expiry.not-sliding',
            what: 'refuses a token after the end of its lifetime although it was used just before',
            refusal: 'use.past',
            code: `h.expiresAtAll('${stateOf('rest.past')}');\nh.refused('${stateOf('use.past')}', h.served)`,
          },
        ],
      }),
    ],
  };
}
