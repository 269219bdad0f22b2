import { goesTo } from '../stage/index.js';
import { isLogin } from '../traffic/index.js';
import { wasRedirected } from './judges.js';
import type { Seen } from './ruling.js';

/** What answers an open question in the scenarios that name its row; undefined where it does not show. */
export const observers: Readonly<Record<string, (seen: Seen) => string | undefined>> = {
  'client.shared-login'({ acts, completed }) {
    const logins = acts.filter(({ became }) => became === 'exchange').length;
    if (!completed || logins === 0) return undefined;
    return logins === 1 ? 'yes' : 'no, several log in';
  },
  'client.newer-token'({ acts }) {
    const uses = acts.filter(({ token, became }) => token !== undefined && became === 'served');
    return uses.length < 2 ? undefined : uses.some(({ givenToken }) => givenToken?.byExchange === false) ? 'yes' : 'no';
  },
  /** Only of a client that keeps its token does it show. */
  'client.own-clock'({ acts }) {
    const uses = acts.filter(({ became, token }) => became === 'served' && token !== undefined).map(({ token }) => token);
    if (new Set(uses).size === uses.length) return undefined;
    const first = acts.find(({ logged }) => logged.clockMs > 0);
    return first === undefined ? undefined : first.token === undefined ? 'yes' : 'no, it waits for the refusal';
  },
  'client.login-again'({ acts }) {
    const logins = acts.filter(isLogin).length;
    return logins === 0 ? undefined : logins > 1 ? 'yes' : 'no';
  },
  'client.other-refusal'({ acts }) {
    const refusal = acts.findIndex(({ became, token }) => became === 'refusal' && token !== undefined);
    if (refusal < 0) return undefined;
    return acts.slice(refusal).some(({ became }) => became === 'exchange') ? 'yes' : 'no';
  },
  'client.redirects'(seen) {
    if (!wasRedirected(seen)) return undefined;
    const followed = seen.acts.find(({ logged }) => goesTo(logged.received, seen.site.places.second));
    return followed === undefined ? 'no' : followed.token === undefined ? 'yes, without its token' : 'yes, with its token';
  },
};
