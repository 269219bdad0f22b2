import { count, type Protocol } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import { judgeTraffic, type RuleResult } from './enact.js';
import { findingOf } from './findings.js';
import { ofUnknownOrigin, rules, untested } from './judging/index.js';
import { type ClientUser, Log, type LoggedRequest, readTraffic } from './traffic/index.js';

/** So many requests of one client are judged. */
const mostRequests = 20_000;

export interface RecordedClient {
  /** In the order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** Why nobody can tell what it sent. */
  readonly unclear?: string;
}

/** What recorded traffic shows of the clients in it, each by itself. */
export interface ClientsSeen {
  readonly users: readonly ClientUser[];
  readonly remarks: readonly string[];
  /** What is to be said of a row. */
  finding(row: string): Finding;
}

/** Judges clients by their requests. */
export function judgeRecordedClients(clients: readonly RecordedClient[], protocol: Protocol): ClientsSeen {
  const all = clients.map(({ requests, unclear }) => {
    const log = new Log(mostRequests);
    log.requests.push(...requests.slice(0, mostRequests));
    const traffic = readTraffic(log, protocol, { ended: false });
    const isMixed = new Set(traffic.users.map(({ id }) => id)).size > 1;
    const [first] = traffic.acts;
    const isPartial = ofUnknownOrigin(traffic).length > 0 || (first?.authorization ?? first?.token) !== undefined;
    return { log, traffic, isPartial, isCut: requests.length > mostRequests, unjudged: isMixed ? mixed : unclear };
  });
  const results = all
    .filter(({ unjudged }) => unjudged === undefined)
    .flatMap(({ log, traffic, isPartial }) =>
      judgeTraffic(
        rules.filter(({ needsAll }) => !(isPartial && needsAll === true)),
        traffic,
      ).map((result): RuleResult & { log: Log } => ({ ...result, log })),
    );
  const reasons = [...new Set(all.flatMap(({ unjudged, isPartial }) => unjudged ?? (isPartial ? gap : [])))];
  return {
    users: all.flatMap(({ traffic }) => traffic.users),
    remarks: [
      ...(reasons.includes(mixed) ? [`Not judged as a client: ${mixed}.`] : []),
      ...(all.some(({ isCut }) => isCut) ? [`Of each client only the first ${mostRequests} requests were judged.`] : []),
    ],
    finding(row) {
      const ofRow = results.filter((each) => each.row === row);
      const tried = ofRow.reduce((sum, each) => sum + each.tried, 0);
      const violated = ofRow.filter(({ violations }) => violations.length > 0);
      const [first] = violated;
      if (!rules.some((rule) => rule.row === row))
        return findingOf(row, 'watch', untested('Recorded traffic cannot show this; hydrauth check-client can.'), {});
      const because = ['no request that can be judged shows this', ...reasons].join('; ');
      const told = { restsOn: count(tried, 'request'), because: `Not exercised: ${because}.` };
      const failed = violated.reduce((sum, { violations }) => sum + violations.length, 0);
      return findingOf(row, 'watch', { tried, violations: first?.violations ?? [], ...told }, first ?? {}, { failed, of: tried });
    },
  };
}

const mixed = 'one client logged in as several users, so several clients may look like one';
const gap = 'a client uses nonces or tokens that were given before or between the recorded exchanges';
