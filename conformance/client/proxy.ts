import { OptionError } from '../../spec/index.js';
import { recorder } from '../recording/index.js';
import type { Report } from '../report/index.js';
import type { Answer } from '../wire/index.js';
import { type ProxyOptions, rowSettings, targetOf } from './options.js';
import { openRelay } from './relay.js';
import { clientReport, judgeClients, mostJudged } from './report.js';
import { isLogin, Log, planOf, type Traffic } from './traffic.js';
import type { Observe } from './upstream.js';

/** Listens in front of a service. Logs in for whoever uses it where a user is given; otherwise watches the client. */
export async function openProxy(options: ProxyOptions) {
  const { user, record, onProblem } = options;
  const service = serviceOf(options.baseUrl);
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
  const relay = await openRelay(service, protocol, options, isWatch || recording !== undefined ? observe : undefined);
  const url = service.href.replace(/\/$/, '');
  const reportOnClient = (): Report => {
    const seen = judgeClients([{ log, isWhole: true }], protocol);
    return clientReport(settings, {
      ...{ engine: 'watch', startedAt, traffic: seen.traffic, remarks: seen.remarks },
      target: targetOf(url, { way: 'watch', name: `a client of ${url}` }),
      findings: (row) => [seen.finding(row)],
      error: seen.traffic.map(noLogin).find((why) => why !== undefined),
    });
  };
  /** Stops listening; gives why no login worked, and what is to be said of a client that was watched. */
  const end = async () => {
    await relay.close();
    for (const unwritten of recording?.close() ?? []) onProblem?.(unwritten);
    return { loginFailure: relay.loginFailure(), report: isWatch ? reportOnClient() : undefined };
  };
  return { url: `${relay.origin}${service.pathname.replace(/\/$/, '')}`, end };
}

const noAnswer: Answer = { status: 502, reason: 'Bad Gateway', httpVersion: '1.1', headers: [], body: Buffer.alloc(0) };

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
