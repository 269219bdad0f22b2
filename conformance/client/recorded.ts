import { count, type Protocol } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import { judgeTraffic, type RuleResult } from './enact.js';
import { findingOf } from './findings.js';
import { rules, unseeable } from './judging/index.js';
import { type ClientUser, Log, type LoggedRequest, readTraffic } from './traffic/index.js';

/** So many requests of one client are judged. */
const mostRequests = 20_000;

/** What recorded traffic shows of the clients in it, each by itself. */
export interface ClientsSeen {
  readonly users: readonly ClientUser[];
  readonly remarks: readonly string[];
  /** What is to be said of a row. */
  finding(row: string): Finding;
}

/** Judges clients by their requests, in the order of arrival. Who logs in as several users may be several, and cannot be told apart. */
export function judgeRecordedClients(clients: readonly (readonly LoggedRequest[])[], protocol: Protocol): ClientsSeen {
  const all = clients.map((requests) => {
    const log = new Log(mostRequests);
    log.requests.push(...requests.slice(0, mostRequests));
    return { log, traffic: readTraffic(log, protocol, { ended: false }), isCut: requests.length > mostRequests };
  });
  const single = all.filter(({ traffic }) => new Set(traffic.users.map(({ id }) => id)).size < 2);
  const results = single.flatMap(({ log, traffic }) =>
    judgeTraffic(rules, traffic).map((result): RuleResult & { log: Log } => ({ ...result, log })),
  );
  const mixed = all.length - single.length;
  return {
    users: all.flatMap(({ traffic }) => traffic.users),
    remarks: [
      ...(mixed === 0
        ? []
        : [
            `${count(mixed, 'client')} logged in as several users, so several clients may look like one. Nothing is said of ${mixed === 1 ? 'it' : 'them'} as a client.`,
          ]),
      ...(all.some(({ isCut }) => isCut) ? [`Of each client only the first ${mostRequests} requests were judged.`] : []),
    ],
    finding(row) {
      const ofRow = results.filter((each) => each.row === row);
      const tried = ofRow.reduce((sum, each) => sum + each.tried, 0);
      const violated = ofRow.filter(({ violations }) => violations.length > 0);
      const [first] = violated;
      if (ofRow.length === 0 && !rules.some((rule) => rule.row === row))
        return findingOf(row, 'watch', unseeable('Recorded traffic cannot show this; hydrauth check-client can.'), {});
      const told = { restsOn: count(tried, 'request'), because: 'Not exercised: no request in the recording shows this.' };
      const failed = violated.reduce((sum, { violations }) => sum + violations.length, 0);
      return findingOf(row, 'watch', { tried, violations: first?.violations ?? [], ...told }, first ?? {}, { failed, of: tried });
    },
  };
}
