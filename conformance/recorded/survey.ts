import { count, type Protocol } from '../../spec/index.js';
import { nonceOf, parseLinks, tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { grantOf } from '../oracle/index.js';
import { exchangeOf, type HarEntry, type HarFile } from '../recording/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import { pathOf, type Take } from './takes.js';

/** An entry, and the little that is kept of it until its turn comes. */
interface Noted extends Take {
  readonly origin: string;
  readonly path: string;
  /** Who sent it, as far as anybody can tell. */
  readonly client: string;
  /** Nonces and tokens that it brought, and that its answer gave. */
  readonly brought: readonly string[];
  readonly given: readonly string[];
  /** The service calls itself so. */
  readonly bases: readonly string[];
  /** It has something of the protocol in it. */
  readonly isOfProtocol: boolean;
  readonly grantedTo?: User;
  readonly isServedToToken: boolean;
  /** How a request without credentials was refused. */
  readonly refusedWith?: number;
  /** Which headers of the protocol the request carries. */
  readonly carries: { readonly token: boolean; readonly nonce: boolean; readonly authorization: boolean };
  /** A nonce, a token or credentials were replaced. */
  readonly isHidden: boolean;
  readonly grant: ReturnType<typeof grantOf>;
  readonly status: number;
}

/** Why nobody can tell what a request carried, or who answered it. */
export type Unclear = 'stripped' | 'hidden' | 'gateway';

export const unclearWords: Readonly<Record<Unclear, string>> = {
  stripped:
    'the file carries no Authorization header, or no nonce and no token: saved without sensitive data? In Chromium choose "Export HAR (with sensitive data)"',
  hidden: 'nonces, tokens or credentials in the file were replaced or left empty; save it without redaction',
  gateway: 'a gateway answered (502, 504), and not the service',
};

/** What is put in the place of secrets: nothing, a word, or a row of the same sign. */
const standsForSecret =
  /^\s*$|(?<![a-z0-9])(redacted|masked|hidden|removed|filtered|saniti[sz]ed|scrubbed|censored|omitted)(?![a-z0-9])|\*{3}|•{3}|█|…|\.{3}|^(\w+ )?[x\W]{3,}$/i;

/** How those who stand between a client and a service say that they cannot reach it; 52x are those of Cloudflare. */
const isOfGateway = (status: number) => status === 502 || status === 504 || (status >= 520 && status <= 530);

/** What traffic says of the service in it. */
export interface Survey {
  readonly takes: readonly (Noted & { readonly unclear?: Unclear | undefined })[];
  readonly baseUrl: URL | undefined;
  /** Those who were seen to log in. */
  readonly users: readonly User[];
  /** Paths below the base URL that were served. */
  readonly served: readonly string[];
  readonly challengeStatus: number | undefined;
  /** How exact the times are. */
  readonly resolutionMs: number;
  readonly remarks: readonly string[];
}

/** Reads all files once. */
export function survey(files: readonly HarFile[], protocol: Protocol, given: URL | undefined): Survey {
  const lacks = {
    'too large to be read': 0,
    'without a time': 0,
    'with a negative duration': 0,
    'without an answer': 0,
    'without a whole body': 0,
  };
  const all = files.flatMap((har) =>
    har.places.flatMap((place): Noted[] => {
      const entry = har.entry(place);
      const sentAtMs = Date.parse(entry?.startedDateTime ?? '');
      if (entry === undefined || !(sentAtMs >= 0)) {
        lacks[entry === undefined ? 'too large to be read' : 'without a time'] += 1;
        return [];
      }
      const exchange = exchangeOf(entry, pathOf(entry.request.url), sentAtMs);
      if (entry.time < 0) lacks['with a negative duration'] += 1;
      if (exchange.answer === undefined) lacks['without an answer'] += 1;
      else if (exchange.problem !== undefined) lacks['without a whole body'] += 1;
      return [{ har, place, sentAtMs, durationMs: exchange.durationMs, ...noted(entry, exchange, protocol) }];
    }),
  );
  all.sort((one, other) => one.sentAtMs - other.sentAtMs);
  const resolutionMs = all.some(({ sentAtMs }) => sentAtMs % 1000 !== 0) ? 1 : 1000;
  putInOrder(all, resolutionMs);
  const baseUrl = given ?? baseIn(all);
  const base = baseUrl?.href.replace(/\/+$/, '') ?? '';
  const unclear = unclearIn(all);
  const takes = all
    .filter(({ origin, path }) => baseUrl !== undefined && isBelow(`${origin}${path}`, base))
    .map((each) => ({ ...each, unclear: unclear(each) }));
  const pairs = new Map(
    takes.flatMap(({ grantedTo: user, unclear: why }) =>
      user === undefined || why !== undefined ? [] : [[`${user.id}:${user.paraphrase}`, user] as const],
    ),
  );
  const users = [...pairs.values()];
  const ids = users.map(({ id }) => id);
  const doubled = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  const paths = takes.filter((each) => each.isServedToToken).map(({ origin, path }) => `${origin}${path}`.slice(base.length + 1));
  const statuses = takes.flatMap(({ refusedWith }) => refusedWith ?? []);
  return {
    takes,
    baseUrl,
    users: users.filter(({ id }) => !doubled.has(id)),
    served: [...new Set(paths)].filter((path) => path !== '' && `/${path}` !== protocol.link.path),
    challengeStatus: statuses.includes(protocol.challenge.status) ? protocol.challenge.status : statuses[0],
    resolutionMs,
    remarks: [
      ...(all.length === takes.length
        ? []
        : [
            `${count(all.length - takes.length, 'exchange')} with other addresses ${all.length - takes.length === 1 ? 'was' : 'were'} left out.`,
          ]),
      ...files.flatMap(({ own }) => {
        const { leftOut = 0 } = (own ?? {}) as { leftOut?: number };
        return leftOut === 0
          ? []
          : [`${count(leftOut, 'exchange')} came after the recording was full, and ${leftOut === 1 ? 'is' : 'are'} not in it.`];
      }),
      ...Object.entries(lacks).flatMap(([what, times]) =>
        times === 0 ? [] : [`${count(times, 'entry', 'entries')} ${what}: what that leaves open is not judged.`],
      ),
      ...(['stripped', 'hidden', 'gateway'] as const).flatMap((why) => {
        const times = takes.filter((each) => each.unclear === why).length;
        return times === 0 ? [] : [`${count(times, 'exchange')} left out of the judgement: ${unclearWords[why]}.`];
      }),
      ...[...doubled].map(
        (id) =>
          `User ${id} was let in with different paraphrases. Nobody can tell from a recording which one is right, so the logins of this user are not judged.`,
      ),
    ],
  };
}

/** What stands nowhere in a file may have been left out of it. Our own recordings are whole. */
function unclearIn(all: readonly Noted[]): (each: Noted) => Unclear | undefined {
  const filesWith = (is: (each: Noted) => boolean) => new Set(all.filter(is).map(({ har }) => har));
  const authorized = filesWith(({ carries }) => carries.authorization);
  const answered = filesWith(({ given }) => given.length > 0);
  const opened = filesWith(({ carries, grant }) => carries.authorization && grant === 'token');
  const tokens = filesWith(({ har, carries }) => carries.token || opened.has(har));
  const readable = filesWith(({ grantedTo }) => grantedTo !== undefined);
  return ({ har, carries, isHidden, grant, status }) => {
    if (isOfGateway(status)) return 'gateway';
    if (har.own !== undefined) return undefined;
    // Credentials that opened and that nobody can read were replaced, and with them all others.
    if (isHidden || (carries.authorization && opened.has(har) && !readable.has(har))) return 'hidden';
    if (carries.token) return undefined;
    // Who brings neither nonce nor token must not be served, whatever else was sent.
    const isWhole = !carries.nonce && grant === 'served' ? tokens.has(har) : authorized.has(har) && answered.has(har);
    return isWhole ? undefined : 'stripped';
  };
}

/** Whoever sends what an answer gave has read that answer, even where times are not exact enough to say so, or its body was still to come. */
function putInOrder(all: Noted[], resolutionMs: number): void {
  const givers = new Map<string, number>();
  for (const [index, { given }] of all.entries()) for (const value of given) if (!givers.has(value)) givers.set(value, index);
  for (const [index, take] of all.entries())
    for (const giver of take.brought.flatMap((value) => givers.get(value) ?? [])) {
      const by = all[giver] as Noted;
      if (giver === index || by.sentAtMs - take.sentAtMs > resolutionMs) continue;
      all[index] = { ...take, sentAtMs: Math.max(take.sentAtMs, by.sentAtMs) };
      all[giver] = { ...by, durationMs: Math.max(0, Math.min(by.durationMs, take.sentAtMs - by.sentAtMs)) };
    }
  all.sort((one, other) => one.sentAtMs - other.sentAtMs);
}

export function isBelow(url: string, base: string): boolean {
  return url === base || [`${base}/`, `${base}?`].some((beginning) => url.startsWith(beginning));
}

function noted({ request, ...entry }: HarEntry, exchange: Exchange, protocol: Protocol) {
  const { answer } = exchange;
  const { headers, link, challenge } = protocol;
  const sent = (name: string) => headerValues(exchange.request, name);
  const [token, nonce, authorization] = [headers.token, headers.nonce, headers.authorization].map(sent) as [string[], string[], string[]];
  const isStranger = [token, nonce, authorization].every((values) => values.length === 0);
  const received = answer === undefined ? [] : [headers.token, headers.nonce].flatMap((name) => headerValues(answer, name));
  const grant = answer === undefined ? 'nothing' : grantOf(answer, protocol);
  const [, id, paraphrase] = /^([^:]*):(.*)$/s.exec(Buffer.from(authorization[0]?.split(' ').at(-1) ?? '', 'base64').toString()) ?? [];
  const targets = parseLinks(answer === undefined ? [] : headerValues(answer, headers.link))
    .filter(({ relations }) => relations.includes(link.relation.toLowerCase()))
    .flatMap(({ target }) => (URL.canParse(target, request.url) ? [new URL(target, request.url).href] : []));
  const isRead = isStranger && request.method === 'GET' && grant === 'nothing' && answer !== undefined;
  return {
    origin: URL.canParse(request.url) ? new URL(request.url).origin : '',
    path: pathOf(request.url).split('?')[0] as string,
    client: [...sent('user-agent'), (entry as { clientIPAddress?: string }).clientIPAddress ?? ''].join(' '),
    carries: { token: token.length > 0, nonce: nonce.length > 0, authorization: authorization.some((each) => !standsForSecret.test(each)) },
    isHidden: [...token, ...nonce, ...authorization, ...received].some((each) => standsForSecret.test(each)),
    grant,
    status: answer?.status ?? 0,
    brought: [...token, ...nonce],
    given: answer === undefined ? [] : [tokenOf(answer, protocol) ?? [], nonceOf(answer, protocol) ?? []].flat(),
    bases: targets.filter((each) => each.endsWith(link.path)).map((each) => each.slice(0, -link.path.length)),
    isOfProtocol: answer !== undefined && (nonceOf(answer, protocol) ?? tokenOf(answer, protocol)) !== undefined,
    ...(grant === 'token' && id !== undefined && paraphrase !== undefined ? { grantedTo: { id, paraphrase } } : {}),
    isServedToToken: token.length > 0 && grant === 'served' && request.method === 'GET',
    ...(isRead && (answer.status === challenge.status || answer.status === 403 || nonceOf(answer, protocol) !== undefined)
      ? { refusedWith: answer.status }
      : {}),
  };
}

/** The base URL that most answers link to at the origin they came from; otherwise the folder of all that has to do with the protocol. */
function baseIn(all: readonly Noted[]): URL | undefined {
  const votes = new Map<string, number>();
  for (const { bases, origin } of all)
    for (const each of new Set(bases)) if (isBelow(each, origin)) votes.set(each, (votes.get(each) ?? 0) + 1);
  const [first] = [...votes].sort(([, one], [, other]) => other - one);
  if (first !== undefined) return new URL(first[0]);
  const ofProtocol = all.filter((each) => each.isOfProtocol);
  const [{ origin, path } = { origin: '', path: '' }] = ofProtocol;
  if (origin === '') return undefined;
  const folders = ofProtocol.filter((each) => each.origin === origin).map((each) => each.path.split('/').slice(0, -1));
  const own = path.split('/').slice(0, -1);
  const end = own.findIndex((segment, index) => folders.some((each) => each[index] !== segment));
  return new URL(`${origin}${own.slice(0, end < 0 ? own.length : end).join('/')}`);
}
