import type { Oracle } from '../oracle/index.js';
import type { Recorder } from '../recording/index.js';
import { Untested } from '../subject/index.js';
import { type Client, type Exchange, isPipelined, type RequestPlan } from '../wire/index.js';
import type { Allowance } from './allowance.js';
import type { CookieJar } from './cookie-jar.js';
import type { RunBudget } from './run-budget.js';

/** Who wants to know of every exchange. */
interface Watching {
  readonly oracle: Oracle;
  readonly patience: RunBudget;
  readonly allowance: Allowance;
  readonly cookies: CookieJar;
  /** Filled with the redirects seen, by where they point. */
  readonly redirects: Map<string, string>;
  readonly recorder: Recorder | undefined;
}

/** A client whose every exchange is held against the oracle and counted. It sends nothing when the target was given up or the budget is spent. */
export function watchedClient(inner: Client, { oracle, patience, allowance, cookies, redirects, recorder }: Watching): Client {
  const send = async (plan: RequestPlan): Promise<Exchange> => {
    if (patience.over !== undefined) throw new Untested(patience.over);
    const spent = allowance.take(plan.ahead === undefined ? 1 : 2);
    if (spent !== undefined) throw new Untested(spent, 'budget');
    const ticket = oracle.begin(plan);
    const ahead = plan.awaitsAhead === true && plan.ahead !== undefined ? oracle.begin(plan.ahead) : undefined;
    const came = await inner.send(plan);
    if (came.ahead !== undefined) recorder?.note(came.ahead, isPipelined(plan) ? { unheld: true } : {});
    recorder?.note(came);
    if (ahead !== undefined && came.ahead !== undefined) oracle.end(ahead, came.ahead);
    // Plain servers take two requests in one piece for one, so that this says nothing of the protocol unless a case makes sure of it.
    const isCut = came.problem?.code === 'aborted' && allowance.isSpent;
    const exchange = oracle.end(ticket, came, !isPipelined(plan) && !isCut);
    if (isCut) throw new Untested(allowance.spent, 'budget');
    patience.note(exchange);
    const { answer } = exchange;
    if (answer !== undefined) cookies.note(plan.target, answer);
    if (answer !== undefined && answer.status >= 300 && answer.status < 400) {
      const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
      redirects.set(`${plan.method} ${plan.target}`, location ?? 'nowhere');
    }
    return exchange;
  };
  // Everything else is as with the inner one.
  return Object.create(inner, { send: { value: send } }) as Client;
}
