import { OptionError, spec } from '../../spec/index.js';
import { readCertificates } from '../certificates.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import type { Finding } from '../finding.js';
import type { BaselineEntry } from '../options.js';
import { baselineOf, makeReport, type Report, selectedIds, selectors } from '../report/index.js';
import type { Answer } from '../wire/index.js';
import { type Rule, rules } from './judging/index.js';
import { clientSpec } from './options.js';
import { forwardTo, listen } from './stage/index.js';
import { credentialsIn, Log, readTraffic, secretsOf } from './traffic/index.js';

interface WatchOptions {
  /** The base URL of the service. */
  readonly baseUrl: string;
  readonly host?: string;
  readonly port?: number;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly baseline?: string | readonly BaselineEntry[];
  readonly strict?: boolean;
  /** A PEM file of certificates to trust. */
  readonly ca?: string;
  readonly insecure?: boolean;
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
export async function watchClient(options: WatchOptions): Promise<Watching> {
  const service = serviceOf(options.baseUrl);
  const { catalogue } = clientSpec;
  const [only, skip] = [selectors('only', options.only ?? [], catalogue), selectors('skip', options.skip ?? [], catalogue)];
  const selected = new Set(selectedIds({ spec: clientSpec, only, skip, auth: 'on' }));
  const baseline = baselineOf(options.baseline, catalogue);
  const startedAt = new Date();
  const log = new Log(mostRequests);
  const { ca, insecure = false } = options;
  const forwarder = forwardTo(service, { insecure, ...(ca === undefined ? {} : { ca: readCertificates(ca) }) });
  const listener = await listen({
    ...{ at: 'service', log, passesOn: true },
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    answer: async (received) =>
      within(
        await forwarder.send({
          ...received,
          headers: received.headers.map(([name, value]) => [name, name.toLowerCase() === 'host' ? service.host : value]),
        }),
        service.origin,
        () => listener.origin,
      ),
  });

  const end = async (): Promise<Report> => {
    await listener.close();
    forwarder.close();
    const redactor = createRedactor(spec.protocol);
    const { findings, tokens, users } = judged(log, selected);
    for (const { id, paraphrase } of users) redactor.user(id, paraphrase);
    for (const token of tokens) redactor.token(token);
    return makeReport({
      spec: clientSpec,
      options: { auth: 'on', seed: 0, runs: 0, baseline, strict: options.strict ?? false },
      target: {
        ...{ url: service.href.replace(/\/$/, ''), collections: [], users: [], clock: 'none', auth: 'on' },
        client: { way: 'watch', name: `a client of ${service.href.replace(/\/$/, '')}` },
      },
      findings,
      observations: [],
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      requests: log.requests.length,
      remarks: [...(log.overrun ? [`Only the first ${mostRequests} requests were judged.`] : []), ...redactor.warnings()],
      engines: ['watch'],
      selected,
      ...(log.requests.length === 0 ? { error: 'No request came, so nothing can be said of the client.' } : {}),
      record: (chain) => recordChain(chain, { baseUrl: service, redactor }),
      curl: () => null,
      redact: redactor.text,
    });
  };
  return { url: `${listener.origin}${service.pathname.replace(/\/$/, '')}`, end };
}

function judged(
  log: Log,
  selected: ReadonlySet<string>,
): { findings: Finding[]; tokens: string[]; users: { id: string; paraphrase: string }[] } {
  const traffic = readTraffic(log.requests, spec.protocol);
  const tokens = traffic.tokens.map(({ value }) => value);
  const users = credentialsIn(traffic);
  const secrets = users.flatMap((user) => secretsOf(user, [])).concat(secretsOf(undefined, tokens));
  const context = { user: undefined, secrets, requests: log.requests, ended: false };
  const told = rules.filter(({ row }) => selected.has(row)).map((rule) => findingOf(rule.row, rule.judge(traffic, context), log));
  const others = clientSpec.catalogue.requirements.filter(
    ({ id }) => selected.has(id) && !told.some(({ requirement }) => requirement === id),
  );
  return {
    findings: [...told, ...others.map(({ id }) => notExercised(id, 'A watch cannot bring it about; check-client can.'))],
    tokens,
    users,
  };
}

function findingOf(requirement: string, { tried, violations }: ReturnType<Rule['judge']>, log: Log): Finding {
  const [first] = violations;
  const about = { requirement, check: requirement, engine: 'watch' } as const;
  if (first !== undefined) {
    const rate = violations.length < tried ? { rate: { failed: violations.length, of: tried } } : {};
    return { ...about, outcome: 'fail', expected: first.expected, actual: first.actual, chain: log.chainTo(first.at), ...rate };
  }
  if (tried === 0) return notExercised(requirement, 'Not exercised: nothing that was seen had to do with it.');
  return { ...about, outcome: 'pass', restsOn: `${tried} requests that were seen` };
}

function notExercised(requirement: string, message: string): Finding {
  return { requirement, check: requirement, engine: 'watch', outcome: 'untested', message };
}

/** A redirect to the service leads through the watch again. */
function within(answer: Answer, origin: string, watched: () => string): Answer {
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [
      name,
      name.toLowerCase() === 'location' && value.startsWith(origin) ? watched() + value.slice(origin.length) : value,
    ]),
  };
}

function serviceOf(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new OptionError('baseUrl', `${JSON.stringify(given)} is not allowed; an http or https URL without user, query and fragment is`);
  return url;
}
