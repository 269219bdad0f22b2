import { madeUp } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import { grantOf, inWords } from '../oracle/index.js';
import { Untested } from '../subject/index.js';
import { fromTarget, headerValues } from '../wire/index.js';
import { observer, refusalInWords } from './observer.js';

const beyondMs = 60_000;
const honoured = 'an expired token was accepted (see expiry.refused-after)';

export const tokenObservers = [
  observer('token.unknown-token-answer', async (trial) =>
    refusalInWords(trial, await trial.use(madeUp(trial.protocol.exchange.tokenPattern))),
  ),
  observer('token.letter-case', async (trial) => {
    const token = await trial.login();
    const other = token.value === token.value.toUpperCase() ? token.value.toLowerCase() : token.value.toUpperCase();
    if (other === token.value) throw new Untested('the token has no letters');
    trial.subject.redactor.token(other, 'token in another letter case');
    const exchange = await trial.use(other);
    const served = grantOf(trial.answered(exchange), trial.protocol) !== 'nothing';
    return { answer: served ? 'yes' : 'no', evidence: `the token in the other letter case got ${inWords(exchange, trial.protocol)}` };
  }),
  observer('token.beside-credentials', async (trial) => {
    const token = await trial.login();
    const { headers, challenge } = trial.protocol;
    const nonce = await trial.challenge();
    const exchange = await trial.present(nonce.value, basic(challenge.scheme, trial.user.id, trial.user.paraphrase), {
      headers: [[headers.token, token.value]],
    });
    const grant = grantOf(trial.answered(exchange), trial.protocol);
    const answer = grant === 'token' ? 'the exchange, by rule 3' : grant === 'served' ? 'the resource, by rule 4' : 'a refusal';
    return { answer, evidence: inWords(exchange, trial.protocol) };
  }),
  observer(
    'expiry.expired-token-answer',
    async (trial) => {
      if (!trial.subject.clock.canMove || !trial.subject.clock.isInstant)
        throw new Untested('this needs a clock that can be moved (see --clock)');
      const token = await trial.login();
      await trial.advance(trial.protocol.token.lifetimeMs + beyondMs);
      const exchange = await trial.use(token);
      if (grantOf(trial.answered(exchange), trial.protocol) !== 'nothing') throw new Untested(honoured);
      return refusalInWords(trial, exchange);
    },
    'clock',
  ),
  observer(
    'expiry.instant',
    async (trial) => {
      const { clock } = trial.subject;
      const before = clock.canMove ? await clock.now() : undefined;
      const token = await trial.login();
      if (before === undefined || (await clock.now()) !== before) throw new Untested('this needs a clock that stands still between moves');
      await trial.advance(trial.protocol.token.lifetimeMs);
      const exchange = await trial.use(token);
      const served = grantOf(trial.answered(exchange), trial.protocol) !== 'nothing';
      if (served) {
        await trial.advance(beyondMs);
        if (grantOf(trial.answered(await trial.use(token)), trial.protocol) !== 'nothing') throw new Untested(honoured);
      }
      return {
        answer: served ? 'yes, the end is inclusive' : 'no, the end is exclusive',
        evidence: `at the exact instant it got ${inWords(exchange, trial.protocol)}`,
      };
    },
    'clock',
  ),
  observer('errors.other-errors', async (trial) => {
    const token = await trial.subject.sharedToken();
    const exchange = await trial.use(token.value, { path: '/no-such-collection' });
    return { answer: inWords(exchange, trial.protocol), evidence: 'GET /no-such-collection with a valid token' };
  }),
  observer('protection.preflight', async (trial) => {
    const { headers } = trial.protocol;
    const exchange = await trial.send({
      method: 'OPTIONS',
      headers: [
        ['Origin', 'https://elsewhere.example'],
        ['Access-Control-Request-Method', 'GET'],
        ['Access-Control-Request-Headers', `${headers.nonce},${headers.authorization},${headers.token}`.toLowerCase()],
      ],
    });
    const answer = trial.answered(exchange);
    const allowed = headerValues(answer, 'access-control-allow-headers').join(', ');
    if (answer.status === trial.subject.facts.challengeStatus)
      return { answer: 'like any request without credentials', evidence: inWords(exchange, trial.protocol) };
    return {
      answer: allowed === '' ? inWords(exchange, trial.protocol) : `with permission to send ${fromTarget(allowed)}`,
      evidence: inWords(exchange, trial.protocol),
    };
  }),
  observer(
    'protection.limits',
    async (trial) => {
      const { rateLimited, requests } = trial.subject.client;
      return rateLimited === 0
        ? { answer: 'no', evidence: `none of ${requests} requests was told to slow down` }
        : { answer: 'yes', evidence: `${rateLimited} of ${requests} requests were told to slow down` };
    },
    'history',
  ),
];
