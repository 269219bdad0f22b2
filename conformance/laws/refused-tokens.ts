import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import {
  everyNearMissRecipe,
  everyPartChanged,
  type NearMissRecipe,
  nearMiss,
  nearMissRecipe,
  oddTexts,
  shaped,
} from '../arbitraries/index.js';
import { guardedPaths, type Sending, type Trial, Untested } from '../subject/index.js';
import { chosen, law } from './law.js';

export const oddTokens = [...oddTexts, 'true', '.', '.*', '0'.repeat(32), '0'.repeat(64), 'f'.repeat(64)];

/** A valid token, or a nonce, where it does not belong. */
const misplaced: readonly (readonly [what: string, send: (trial: Trial, token: string) => Sending | Promise<Sending>])[] = [
  ['nonce as token', async (trial) => inToken(trial, (await trial.challenge()).value)],
  ['nonce without its dashes as token', async (trial) => inToken(trial, (await trial.challenge()).value.replaceAll('-', ''))],
  ['nonce that has brought a token as token', async (trial) => inToken(trial, await trial.spentNonce())],
  ['token as nonce', ({ protocol }, token) => ({ headers: [[protocol.headers.nonce, token]] })],
  ['token in the query', (trial, token) => ({ path: `${trial.firstPath}?${asForm(trial, token)}` })],
  [
    'token in a cookie',
    ({ protocol }, token) => ({ headers: [['Cookie', `token=${token}; ${protocol.headers.token}=${token}; session=${token}`]] }),
  ],
  [
    'token in a form',
    (trial, token) => ({
      method: 'POST',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: asForm(trial, token),
    }),
  ],
];

const asForm = ({ protocol }: Trial, token: string) => `access_token=${token}&token=${token}&${protocol.headers.token}=${token}`;

/** What careless readers take off a token. */
const around: readonly (readonly [what: string, write: (token: string) => string])[] = [
  ['the word Bearer before it', (token) => `Bearer ${token}`],
  ['quotation marks around it', (token) => `"${token}"`],
  ['a comma and more behind it', (token) => `${token}, x`],
];

function inToken({ protocol, subject }: Trial, value: string): Sending {
  subject.redactor.token(value, 'altered token');
  return { headers: [[protocol.headers.token, value]] };
}

interface Unknown {
  readonly text: string;
  /** How to make it of a token that was issued, instead. */
  readonly recipe?: NearMissRecipe;
  readonly path?: string;
}

export const refusedTokens = [
  law<Unknown>('token.unknown-refused', {
    given: ({ protocol }) =>
      fc.oneof(
        fc.record({ text: fc.oneof(shaped(protocol.exchange.tokenPattern), fc.constantFrom(...oddTokens)) }),
        fc.record({ text: fc.constant(''), recipe: nearMissRecipe }),
      ),
    // A budget may leave room for the first alone.
    examples: (subject) => [
      ...[...everyPartChanged.toReversed(), ...everyNearMissRecipe.slice(1)].map((recipe) => ({ text: '', recipe })),
      ...[...oddTokens, madeUp(subject.protocol.exchange.tokenPattern)].map((text) => ({ text })),
      // Handlers of their own often look only whether the header is there.
      ...guardedPaths(subject)
        .slice(1)
        .map((path) => ({ text: '', path })),
    ],
    async judge(trial, { text, recipe, path }, { oracle, redactor, answered }) {
      const issued = await trial.sharedToken();
      const missed = recipe === undefined ? undefined : nearMiss(issued, recipe);
      if (recipe !== undefined && missed === undefined) throw new Untested('the changed token is the same token');
      const value = missed?.value ?? text;
      // Where tokens are a sequence, it may be another one that was issued.
      if (oracle.tokens.has(value)) throw new Untested('the changed token is another token that was issued');
      if (missed !== undefined) redactor.token(value, `token with ${missed.how}`);
      else trial.chain.length = 0;
      const exchange = await trial.use(value, path === undefined ? {} : { path }, 'refused-token');
      if (exchange.answer !== undefined) answered.add(value);
      trial.expectRefused(exchange, missed === undefined ? 'a token that was never issued' : `a token with ${missed.how}`);
    },
  }),
  chosen<(typeof around)[number]>('token.unknown-refused', {
    name: 'with-something-around',
    examples: () => around,
    async judge(trial, [what, write]) {
      const issued = await trial.sharedToken();
      trial.expectRefused(await trial.send(inToken(trial, write(issued)), 'refused-token'), `a token with ${what}`);
    },
  }),
  chosen<(typeof misplaced)[number]>('token.only-in-its-header', {
    isDoubtful: true,
    examples: () => misplaced,
    async judge(trial, [what, send]) {
      const issued = await trial.sharedToken();
      trial.expectRefused(await trial.send(await send(trial, issued)), `a ${what}`);
    },
  }),
  chosen<string>('token.only-in-its-header', {
    name: 'in-authorization',
    isDoubtful: true,
    phase: 'wrong-credentials',
    afterOthers: 'at the end',
    examples: ({ protocol }) => ['Bearer', protocol.challenge.scheme],
    async judge(trial, scheme) {
      const { value } = await trial.login();
      const headers = [[trial.protocol.headers.authorization, `${scheme} ${value}`]] as const;
      trial.expectRefused(await trial.send({ headers }), `a token as ${scheme} credentials`);
    },
  }),
];
