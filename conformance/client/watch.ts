import { count, OptionError } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import type { Finding } from '../finding.js';
import type { OptionsIn } from '../options.js';
import type { Report } from '../report/index.js';
import type { Answer } from '../wire/index.js';
import { judgeTraffic, type RuleResult } from './enact.js';
import { findingOf } from './findings.js';
import { ofUnknownOrigin, rules, untested } from './judging/index.js';
import { type RowOptions, type RowSettings, rowSettings, targetOf } from './options.js';
import { clientReport } from './report.js';
import { forwardTo, listen } from './stage/index.js';
import { Log, readTraffic } from './traffic/index.js';

/** Those of `hydrauth watch`, and the address of the service. */
interface WatchOptions extends RowOptions, Omit<OptionsIn<'watch'>, keyof RowOptions> {
  /** The base URL of the service. */
  readonly baseUrl: string;
}

interface Watching {
  /** What the client is to use as its base URL. */
  readonly url: string;
  /** Stops listening and judges what was seen. */
  end(): Promise<Report>;
}

/** So many requests are kept and judged; what comes later is passed on and not looked at. */
const mostRequests = 20_000;

/** Listens as a recording proxy in front of a service. */
export async function watchClient({ baseUrl, host, port, ca, insecure = false, ...options }: WatchOptions): Promise<Watching> {
  const service = serviceOf(baseUrl);
  const settings = rowSettings(options);
  const startedAt = new Date();
  const log = new Log(mostRequests);
  const forwarder = forwardTo(service, { insecure, ...(ca === undefined ? {} : { ca: readCertificates(ca) }) });
  const listener = await listen({
    ...{ at: 'service', log, passesOn: true, host, port },
    async answer(received) {
      const headers = received.headers.map(([name, value]) => [name, name.toLowerCase() === 'host' ? service.host : value] as const);
      return within(await forwarder.send({ ...received, headers }), service.origin, listener.origin);
    },
  });

  const end = async (): Promise<Report> => {
    await listener.close();
    forwarder.close();
    const traffic = readTraffic(log, settings.spec.protocol, { ended: false });
    const results = judgeTraffic(rules, traffic);
    const unknown = ofUnknownOrigin(traffic).length;
    const url = service.href.replace(/\/$/, '');
    return clientReport(settings, {
      ...{ engine: 'watch', startedAt, traffic: [traffic] },
      target: targetOf(url, { way: 'watch', name: `a client of ${url}` }),
      findings: (row) => [toldOf(row, results, log)],
      remarks: [
        ...(log.overrun ? [`Only the first ${mostRequests} requests were judged.`] : []),
        ...(unknown === 0
          ? []
          : [
              `${count(unknown, 'request')} carried a nonce or token that was not issued during the watch, so nothing says whether it was altered. Let the client log in while it is watched.`,
            ]),
      ],
      error: nothingJudged(settings, results, log, unknown > 0),
    });
  };
  return { url: `${listener.origin}${service.pathname.replace(/\/$/, '')}`, end };
}

/** Why there is no verdict: of all that a client must do, nothing was seen. */
function nothingJudged({ spec, selected }: RowSettings, results: readonly RuleResult[], log: Log, isLoggedIn: boolean): string | undefined {
  if (log.requests.length === 0) return 'No request came, so the client cannot be judged.';
  const musts = spec.catalogue.requirements.filter(({ id, level }) => level === 'MUST' && selected.has(id));
  const isSeen = musts.some(({ id }) => results.some(({ row, tried }) => row === id && tried > 0));
  if (isSeen || musts.length === 0) return undefined;
  if (isLoggedIn) return 'No MUST could be judged: the client had logged in before the watch began. Let it log in while it is watched.';
  return 'No MUST could be judged: the client did not log in and sent no token. Use the client until it has read something.';
}

function toldOf(row: string, results: readonly RuleResult[], log: Log): Finding {
  const result = results.find((each) => each.row === row);
  if (result === undefined) return findingOf(row, 'watch', untested('A watch cannot cause this situation; hydrauth check-client can.'), {});
  const { tried, violations } = result;
  const told = {
    restsOn: `${tried} requests that were seen`,
    because: 'Not exercised: no request that was seen shows this.',
  };
  return findingOf(row, 'watch', { ...result, ...told }, { log }, { failed: violations.length, of: tried });
}

/** A redirect to the service leads through the watch again. */
function within(answer: Answer, origin: string, watched: string): Answer {
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [
      name,
      name.toLowerCase() === 'location' && value.startsWith(origin) ? watched + value.slice(origin.length) : value,
    ]),
  };
}

function serviceOf(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new OptionError('baseUrl', `${JSON.stringify(given)} is not allowed; an http or https URL without user, query and fragment is`);
  return url;
}
