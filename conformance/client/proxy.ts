import { OptionError } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import type { OptionsIn } from '../options.js';
import { recorder } from '../recording/index.js';
import type { Report } from '../report/index.js';
import type { Answer } from '../wire/index.js';
import { type RowOptions, type RowSettings, rowSettings, targetOf } from './options.js';
import { judgeClients, mostJudged } from './recorded.js';
import { type Observe, openRelay } from './relay/index.js';
import { clientReport } from './report.js';
import { type ClientUser, isLogin, Log, planOf, type Traffic } from './traffic/index.js';

/** Those of `hydrauth proxy` and `hydrauth watch`, and the address of the service. */
interface ProxyOptions extends RowOptions, Omit<OptionsIn<'watch'>, keyof RowOptions> {
  /** The base URL of the service. */
  readonly baseUrl: string;
  /** As whom the proxy logs in. Without one it passes everything on as it is, and judges the client. */
  readonly user?: ClientUser;
  /** Is told when a login fails. */
  readonly onProblem?: (text: string) => void;
  /** The time in milliseconds, from whenever. */
  readonly nowMs?: () => number;
}

/** Listens in front of a service. Logs in for whoever uses it where a user is given; otherwise watches the client. */
export async function openProxy(options: ProxyOptions) {
  const { baseUrl, ca, user, insecure = false, record, host, port, onProblem, nowMs } = options;
  const service = serviceOf(baseUrl);
  const settings = rowSettings(options);
  const startedAt = new Date();
  const { protocol } = settings.spec;
  const isWatch = user === undefined;
  const log = new Log(mostJudged);
  const users = user === undefined ? [] : [{ id: String(user.id), paraphrase: user.paraphrase }];
  const recording = record === undefined ? undefined : recorder({ file: record, protocol, baseUrl: service, users });
  const observe: Observe = (sent) => {
    const sentAtMs = performance.now();
    const logged = isWatch ? log.arrive('service', service.origin, sent) : undefined;
    let durationMs: number | undefined;
    return (answer, over) => {
      if (durationMs === undefined) log.answer(logged, answer ?? noAnswer);
      else if (logged !== undefined && answer !== undefined) logged.answer = answer;
      durationMs ??= performance.now() - sentAtMs;
      if (over !== undefined) recording?.note({ request: planOf(sent), ...(answer && { answer }), ...over, sentAtMs, durationMs });
    };
  };
  const relay = await openRelay({
    ...{ service, protocol, host, port, user, onProblem, nowMs },
    trust: { insecure, ...(ca === undefined ? {} : { ca: readCertificates(ca) }) },
    observe: isWatch || recording !== undefined ? observe : undefined,
  });
  const url = service.href.replace(/\/$/, '');
  /** Stops listening; gives why no login worked, and what is to be said of a client that was watched. */
  const end = async () => {
    await relay.close();
    for (const unwritten of recording?.close() ?? []) onProblem?.(unwritten);
    return { loginFailure: relay.loginFailure(), report: isWatch ? reportOf(log, { url, settings, startedAt }) : undefined };
  };
  /** What the client is to use as its base URL. */
  return { url: `${relay.origin}${service.pathname.replace(/\/$/, '')}`, end };
}

const noAnswer: Answer = { status: 502, reason: 'Bad Gateway', httpVersion: '1.1', headers: [], body: Buffer.alloc(0) };

function reportOf(log: Log, { url, settings, startedAt }: { url: string; settings: RowSettings; startedAt: Date }): Report {
  const seen = judgeClients([{ log, isWhole: true }], settings.spec.protocol);
  return clientReport(settings, {
    ...{ engine: 'watch', startedAt, traffic: seen.traffic },
    target: targetOf(url, { way: 'watch', name: `a client of ${url}` }),
    findings: (row) => [seen.finding(row)],
    remarks: seen.remarks,
    error: seen.traffic.map(noLogin).find((why) => why !== undefined),
  });
}

/** Why there is no verdict: who was not seen to log in was not seen as a client of this protocol. */
function noLogin({ acts, nonces, protocol }: Traffic): string | undefined {
  if (acts.length === 0) return 'No request came, so the client cannot be judged.';
  if (acts.some(({ became }) => became === 'exchange')) return undefined;
  const refused = acts.filter(isLogin).at(-1)?.logged.answer;
  if (refused !== undefined)
    return `No login of the client worked: the last was answered with ${refused.status}. ${refused.status < 500 ? 'Check its user and paraphrase, and watch it again' : 'Watch it again when the service answers'}.`;
  if (nonces.length === 0 && acts.some(({ became }) => became === 'challenge'))
    return `The service gave no ${protocol.headers.nonce} header with its challenge, so nobody can log in as the protocol says. If it follows another profile, give that with --spec.`;
  if (acts.some(({ nonce, token }) => (nonce ?? token) !== undefined))
    return 'The client had logged in before the watch began. Let it log in while it is watched.';
  return 'The client did not log in while it was watched. Use it until it has read something.';
}

function serviceOf(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new OptionError('baseUrl', `${JSON.stringify(given)} is not allowed; an http or https URL without user, query and fragment is`);
  return url;
}
