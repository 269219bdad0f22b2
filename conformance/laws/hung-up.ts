import fc from 'fast-check';
import { malformedAuthorizations } from '../arbitraries/index.js';
import { inWords } from '../ledger/index.js';
import { type Subject, type Trial, Violation } from '../subject/index.js';
import { law } from './law.js';
import { hide, userAt } from './present-wrong.js';
import { oddTokens } from './refused-tokens.js';

interface Malformed {
  readonly what: 'credentials' | 'token';
  readonly kind: number;
}

function malformed(what: Malformed['what'], subject: Subject) {
  return what === 'token'
    ? oddTokens.map((value) => ({ value, how: `the token "${value.slice(0, 20)}"` }))
    : malformedAuthorizations(subject.protocol.challenge.scheme, userAt(subject, 0));
}

/** What other laws have seen an answer to needs no second look. */
export const hungUp = law<Malformed>('exchange.no-server-error', {
  name: 'answered',
  phase: 'wrong-credentials',
  afterOthers: true,
  given: () => fc.record({ what: fc.constantFrom('credentials' as const, 'token' as const), kind: fc.nat(17) }),
  examples: (subject) =>
    subject.ableUsers.length === 0
      ? []
      : (['credentials', 'token'] as const).flatMap((what) => malformed(what, subject).map((_, kind) => ({ what, kind }))),
  randomCases: (_, { ableUsers }) => (ableUsers.length === 0 ? 1 : 0),
  async judge(trial, { what, kind }, subject) {
    const all = malformed(what, subject);
    const { value, how } = all[kind % all.length] as (typeof all)[number];
    if (subject.answered.has(value)) return;
    if (what === 'credentials') hide(value, subject);
    const send = async () => (what === 'token' ? trial.use(value) : trial.present((await trial.challenge()).value, value));
    if (hangsUp(await send(), trial) === undefined) return;
    trial.chain.length = 0;
    const actual = hangsUp(await send(), trial);
    if (actual !== undefined) throw new Violation(`a request with malformed ${what} (${how}) is answered`, actual);
  },
});

/** A connection that is closed without an answer, in words. */
function hangsUp(exchange: Awaited<ReturnType<Trial['use']>>, { protocol }: Trial): string | undefined {
  return exchange.answer === undefined && exchange.problem?.code === 'closed' ? inWords(exchange, protocol) : undefined;
}
