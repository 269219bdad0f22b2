import { count, type Protocol } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import { judgeTraffic, type RuleResult } from './enact.js';
import { findingOf } from './findings.js';
import { ofUnknownOrigin, rules, unseeable } from './judging/index.js';
import { type Log, readTraffic } from './traffic/index.js';

/** So many requests of one client are judged. */
export const mostJudged = 20_000;

/** A client that nobody drives. */
export interface SeenClient {
  readonly log: Log;
  /** All that it sent since the beginning is known, and that it is one client. */
  readonly isWhole?: boolean;
  /** Why nobody can tell what it sent. */
  readonly unclear?: string;
}

const mixed = 'one client logged in as several users, so several clients may look like one';
const gap = 'a client uses nonces or tokens that it was given before or between these exchanges';

/** Judges clients by their requests, each by itself. */
export function judgeClients(clients: readonly SeenClient[], protocol: Protocol) {
  const all = clients.map(({ log, unclear, isWhole = false }) => {
    const traffic = readTraffic(log, protocol, { ended: false });
    const [first] = traffic.acts;
    const isMixed = !isWhole && new Set(traffic.users.map(({ id }) => id)).size > 1;
    const isPartial = !isWhole && (ofUnknownOrigin(traffic).length > 0 || (first?.authorization ?? first?.token) !== undefined);
    const judged = rules.filter(({ needsAll }) => !(isPartial && needsAll === true));
    const why = isMixed ? mixed : unclear;
    const results = why === undefined ? judgeTraffic(judged, traffic).map((each) => ({ ...each, log })) : [];
    return { traffic, results, isCut: log.overrun, why: why ?? (isPartial ? gap : undefined) };
  });
  const results: (RuleResult & { log: Log })[] = all.flatMap((each) => each.results);
  const reasons = [...new Set(all.flatMap(({ why }) => why ?? []))];
  const unknown = all.reduce((sum, { traffic }) => sum + ofUnknownOrigin(traffic).length, 0);
  const tried = (row: string) => results.reduce((sum, each) => sum + (each.row === row ? each.tried : 0), 0);
  return {
    traffic: all.map(({ traffic }) => traffic),
    remarks: [
      ...(reasons.includes(mixed) ? [`Not judged as a client: ${mixed}.`] : []),
      ...(all.some(({ isCut }) => isCut) ? [`Of each client only the first ${mostJudged} requests were judged.`] : []),
      ...(unknown === 0
        ? []
        : [
            `${count(unknown, 'request')} carried a nonce or token whose issue was not seen, so nothing says whether it was altered. Let the client log in while it is watched or recorded.`,
          ]),
    ],
    /** What is to be said of a row. */
    finding(row: string): Finding {
      const violated = results.filter((each) => each.row === row && each.violations.length > 0);
      if (!rules.some((rule) => rule.row === row && (rule.tellsOnly !== true || violated.length > 0)))
        return findingOf(row, 'watch', unseeable('Traffic alone does not show this; hydrauth check-client can.'), {});
      const [first] = violated;
      const because = `Not exercised: ${['no request that was seen shows this', ...reasons].join('; ')}.`;
      const told = {
        tried: tried(row),
        violations: first?.violations ?? [],
        restsOn: count(tried(row), 'request that was seen', 'requests that were seen'),
        because,
      };
      const failed = violated.reduce((sum, { violations }) => sum + violations.length, 0);
      return findingOf(row, 'watch', told, first ?? {}, { failed, of: tried(row) });
    },
  };
}
