import { count, durationWords, type Requirement } from '../../spec/index.js';
import { isLimited } from '../expect/index.js';
import type { Finding } from '../finding.js';
import { type About, type Decided, decide, grantOf, inWords, judge, placeOf } from '../oracle/index.js';
import type { Looked, Role } from '../subject/index.js';
import { type Exchange, headerValues } from '../wire/index.js';

/** What an exchange is within the protocol, by who asks; and what traffic must hold to show something about them. */
const askers: Readonly<Record<About, { readonly role: Role; readonly needs: string }>> = {
  stranger: { role: 'challenge', needs: 'a request without credentials to an address that is also read with a valid token' },
  login: { role: 'exchange', needs: 'a login that succeeds: a challenge, and its nonce with credentials' },
  'wrong-login': { role: 'refused-credentials', needs: 'a login with wrong credentials beside one that succeeds' },
  'wrong-nonce': { role: 'refused-credentials', needs: 'a login with a wrong nonce beside one that succeeds' },
  'valid-token': { role: 'use', needs: 'a request with a token that was issued in the recording' },
  'expired-token': { role: 'refused-expired', needs: 'a token that is used within LIFETIME of its issue, and again afterwards' },
  'unknown-token': { role: 'refused-token', needs: 'tokens that surely nobody issued' },
};

const vocabulary = 'token.vocabulary';
const said = (id: string) => ({ requirement: id, check: id, engine: 'watch' }) as const;

/** What is answered to it is open, whatever it brings: a preflight needs no credentials, and no body. */
export const isOptions = ({ method }: Exchange['request']) => method === 'OPTIONS';

/** Counts the answers that were as they had to be, by the row that says so. `served`: the places that were read with a token. */
export function countHeld({ protocol, facts, oracle }: Looked, served: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  /** About whom something was seen that counts. */
  const seen = new Set<string>();
  const holds = ({ requirement, about }: Decided) => {
    counts.set(requirement, (counts.get(requirement) ?? 0) + 1);
    seen.add(about);
  };
  /** A refusal counts where something that differs from it in what is wrong was granted. */
  const isControlled = ({ about }: Decided, { request }: Exchange) => {
    if (about === 'stranger') return served.has(placeOf(request.target));
    if (about !== 'expired-token') return oracle.tokens.count > 0;
    return headerValues(request, protocol.headers.token).some((token) => oracle.tokens.usesOf(token) > 0);
  };
  const openedBy = (request: Exchange['request'], grant: ReturnType<typeof grantOf>): Role | undefined => {
    const brings = (name: string) => headerValues(request, name).length > 0;
    if (brings(protocol.headers.token)) return grant === 'served' ? 'use' : undefined;
    return grant === 'token' && brings(protocol.headers.nonce) && brings(protocol.headers.authorization) ? 'exchange' : undefined;
  };
  /** What a stranger got instead of the challenge, by the row about its status; and a vocabulary that is not there. */
  const wrong: Finding[] = [];
  return {
    wrong,
    /** Gives what the exchange is within the protocol, where that is known. */
    note(exchange: Exchange): Role | undefined {
      const expectation = oracle.expectationOf(exchange);
      const { answer, request } = exchange;
      if (answer === undefined || isLimited(answer) || isOptions(request)) return undefined;
      // A token that was issued before the recording began, and opens; or a login that need not have worked, and did.
      if (expectation.must === 'open') return openedBy(request, grantOf(answer, protocol));
      const verdictBy = (challengeStatus: number | undefined, by: Decided) => judge(by, by.what, exchange, { protocol, challengeStatus });
      const { kind } = verdictBy(facts.challengeStatus, expectation);
      if (kind === 'holds' && (expectation.must === 'granted' || isControlled(expectation, exchange))) holds(expectation);
      const isPlain = request.method === 'GET' && request.headers.length === 0 && served.has(placeOf(request.target));
      if (expectation.must === 'challenged' && kind !== 'open' && isPlain) {
        const challenged = decide('none', 'none') as Decided;
        const verdict = verdictBy(protocol.challenge.status, challenged);
        if (verdict.kind === 'holds') holds(challenged);
        // A grant is told by the row of its address.
        if (verdict.kind === 'fails' && verdict.given === undefined && wrong.every(({ requirement }) => requirement === vocabulary))
          wrong.push({ ...said(challenged.requirement), ...verdict, outcome: 'fail', chain: [exchange] });
      }
      return askers[expectation.about].role;
    },
    /** The vocabulary that a valid token asked for. */
    missing(exchange: Exchange): void {
      const { must, about } = oracle.expectationOf(exchange) as Decided;
      if (must !== 'granted' || about !== 'valid-token' || wrong.some(({ requirement }) => requirement === vocabulary)) return;
      const [expected, actual] = ['the vocabulary with a valid token', inWords(exchange, protocol)];
      wrong.push({ ...said(vocabulary), outcome: 'fail', expected, actual, chain: [exchange] });
    },
    /** What is to be said of a row that no answer contradicts; `lack` is what the files do not have. */
    finding({ id, about }: Requirement, contradicted: ReadonlySet<string>, lack: string | undefined): Finding {
      const times = counts.get(id);
      const untested = { ...said(id), outcome: 'untested' } as const;
      // What another failure explains is told there.
      if (contradicted.has(id))
        return { ...untested, through: 'target', message: 'answers contradict it; another failure in this report explains them' };
      if (times !== undefined) return { ...said(id), outcome: 'pass', restsOn: count(times, 'answer') };
      const [who] = about as readonly About[];
      const lifetime = durationWords(protocol.token.lifetimeMs);
      const needed = who === undefined || seen.has(who) ? 'requests that are made for it' : askers[who].needs.replace('LIFETIME', lifetime);
      const why = lack === undefined ? '' : `${lack}; `;
      const message = `${why}no answer that can be judged shows it; that needs ${needed}, which hydrauth check sends`;
      return { ...untested, through: 'call', message };
    },
  };
}
