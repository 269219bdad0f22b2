import { count, type Protocol } from '../../spec/index.js';
import { nonceOf, parseLinks, tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { grantOf } from '../oracle/index.js';
import { exchangeOf, type HarEntry, type HarFile, pathOf } from '../recording/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import type { Take } from './takes.js';
import { isStandIn, type Unclear, unclearIn, unclearWords } from './unclear.js';

/** An entry, and the little that is kept of it until its turn comes. */
export interface Noted extends Take, Seen {
  unclear?: Unclear | undefined;
}
type Seen = ReturnType<typeof seenIn>;

/** What traffic says of the service in it. */
export interface Survey {
  readonly takes: readonly Noted[];
  /** Those of other origins. */
  readonly elsewhere: readonly Noted[];
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
  const lacking = new Map<string, number>();
  const lacks = (what: string, isSo = true) => isSo && lacking.set(what, (lacking.get(what) ?? 0) + 1);
  const read = files.flatMap((har) =>
    har.places.flatMap((place): Noted[] => {
      const entry = har.entry(place);
      const sentAtMs = Date.parse(entry?.startedDateTime ?? '');
      if (entry === undefined || !(sentAtMs >= 0)) {
        lacks(entry === undefined ? 'too large to be read' : 'without a time');
        return [];
      }
      const exchange = exchangeOf(entry, sentAtMs);
      lacks('with a negative duration', entry.time < 0);
      lacks('without an answer', exchange.answer === undefined);
      lacks('without a whole body', exchange.answer !== undefined && exchange.problem !== undefined);
      return [{ har, place, sentAtMs, durationMs: exchange.durationMs, ...seenIn(entry, exchange, protocol) }];
    }),
  );
  const resolutionMs = read.some(({ sentAtMs }) => sentAtMs % 1000 !== 0) ? 1 : 1000;
  const all = inOrderOfUse(read, resolutionMs);
  const baseUrl = given ?? baseIn(all);
  const base = baseUrl?.href.replace(/\/+$/, '') ?? '';
  const unclear = unclearIn(all);
  const takes = all.filter(({ address }) => baseUrl !== undefined && isBelow(address, base));
  for (const take of takes) take.unclear = unclear(take);
  const pairs = takes.flatMap(({ grantedTo, unclear: why }) => (grantedTo === undefined || why !== undefined ? [] : [grantedTo]));
  const users = pairs.filter(
    (user, at) => pairs.findIndex(({ id, paraphrase }) => id === user.id && paraphrase === user.paraphrase) === at,
  );
  const doubled = users.filter(({ id }, at) => users.findIndex((each) => each.id === id) < at).map(({ id }) => id);
  const paths = takes.filter(({ carries, grant, isRead }) => carries.token && grant === 'served' && isRead);
  const refusals = takes.filter(({ isRefusedStranger }) => isRefusedStranger).map(({ status }) => status);
  const others = all.length - takes.length;
  const leftOut = files.reduce((sum, { own }) => sum + ((own as { leftOut?: number } | undefined)?.leftOut ?? 0), 0);
  const were = (times: number) => (times === 1 ? 'was' : 'were');
  const unclears = (Object.keys(unclearWords) as Unclear[]).map(
    (why) => [takes.filter((each) => each.unclear === why).length, unclearWords[why]] as const,
  );
  return {
    takes,
    elsewhere: all.filter(({ address }) => baseUrl !== undefined && address !== '' && !isBelow(address, baseUrl.origin)),
    baseUrl,
    users: users.filter(({ id }) => !doubled.includes(id)),
    served: [...new Set(paths.map(({ address }) => address.slice(base.length + 1)))].filter(
      (path) => path !== '' && `/${path}` !== protocol.link.path,
    ),
    challengeStatus: refusals.find((status) => status === protocol.challenge.status) ?? refusals[0],
    resolutionMs,
    remarks: [
      ...(others === 0 ? [] : [`${count(others, 'exchange')} with other addresses ${were(others)} left out.`]),
      ...(leftOut === 0 ? [] : [`${count(leftOut, 'exchange')} came when the recording was full, and ${were(leftOut)} not recorded.`]),
      ...[...lacking].map(([what, times]) => `${count(times, 'entry', 'entries')} ${what}: what that leaves open is not judged.`),
      ...unclears.flatMap(([times, why]) => (times === 0 ? [] : [`${count(times, 'exchange')} ${were(times)} not judged: ${why}.`])),
      ...doubled.map(
        (id) =>
          `User ${id} was let in with different paraphrases. Nobody can tell from a recording which one is right, so the logins of this user are not judged.`,
      ),
    ],
  };
}

/** Whoever sends what an answer gave has read that answer, even where times are not exact enough to say so, or its body was still to come. */
function inOrderOfUse(read: readonly Noted[], resolutionMs: number): Noted[] {
  const all = read.toSorted((one, other) => one.sentAtMs - other.sentAtMs);
  const givers = new Map<string, number>();
  for (const [index, { given }] of all.entries()) for (const value of given) if (!givers.has(value)) givers.set(value, index);
  for (const [index, take] of all.entries())
    for (const giver of take.brought.flatMap((value) => givers.get(value) ?? [])) {
      const by = all[giver] as Noted;
      if (giver === index || by.sentAtMs - take.sentAtMs > resolutionMs) continue;
      all[index] = { ...take, sentAtMs: Math.max(take.sentAtMs, by.sentAtMs) };
      all[giver] = { ...by, durationMs: Math.max(0, Math.min(by.durationMs, take.sentAtMs - by.sentAtMs)) };
    }
  return all.sort((one, other) => one.sentAtMs - other.sentAtMs);
}

function isBelow(url: string, base: string): boolean {
  return url === base || url.startsWith(`${base}/`);
}

function seenIn({ request: { url, method }, ...entry }: HarEntry, exchange: Exchange, protocol: Protocol) {
  const { answer } = exchange;
  const { headers, link, challenge } = protocol;
  const sent = (name: string) => headerValues(exchange.request, name);
  const came = (name: string) => (answer === undefined ? [] : headerValues(answer, name));
  const [token, nonce, authorization] = [sent(headers.token), sent(headers.nonce), sent(headers.authorization)];
  const values = { nonce: [...nonce, ...came(headers.nonce)], token: [...token, ...came(headers.token)] };
  const carries = { token: token.length > 0, nonce: nonce.length > 0, authorization: authorization.length > 0 };
  const grant = answer === undefined ? 'nothing' : grantOf(answer, protocol);
  const given = answer === undefined ? [] : [tokenOf(answer, protocol) ?? [], nonceOf(answer, protocol) ?? []].flat();
  const [, id, paraphrase] = /^([^:]*):(.*)$/s.exec(Buffer.from(authorization[0]?.split(' ').at(-1) ?? '', 'base64').toString()) ?? [];
  const documentation = parseLinks(came(headers.link))
    .filter(({ relations }) => relations.includes(link.relation.toLowerCase()))
    .flatMap(({ target }) => (URL.canParse(target, url) ? [new URL(target, url).href] : []));
  const status = answer?.status ?? 0;
  const isRead = method === 'GET';
  const isStranger = !carries.token && !carries.nonce && !carries.authorization;
  return {
    /** Without its query. */
    address: URL.canParse(url) ? `${new URL(url).origin}${pathOf(url).split('?')[0]}` : '',
    /** Who sent it, as far as anybody can tell. */
    client: [...sent('user-agent'), (entry as { clientIPAddress?: string }).clientIPAddress ?? ''].join(' '),
    carries,
    grant,
    status,
    isRead,
    values,
    /** Nonces and tokens that it brought, and that its answer gave. */
    brought: [...token, ...nonce],
    given,
    /** A nonce, a token or credentials were replaced. */
    isHidden: [...values.nonce, ...values.token, ...authorization].some(isStandIn),
    /** The service calls itself so. */
    bases: documentation.filter((each) => each.endsWith(link.path)).map((each) => each.slice(0, -link.path.length)),
    isRefusedStranger: isStranger && isRead && grant === 'nothing' && ([challenge.status, 403].includes(status) || given.length > 0),
    ...(grant === 'token' && id !== undefined && paraphrase !== undefined ? { grantedTo: { id, paraphrase } } : {}),
  };
}

export const originOf = (address: string): string => address.split('/').slice(0, 3).join('/');

/** The base URL that most answers link to at the origin they came from; otherwise the folder of all that has to do with the protocol. */
function baseIn(all: readonly Noted[]): URL | undefined {
  const votes = new Map<string, number>();
  for (const { bases, address } of all)
    for (const each of new Set(bases)) if (isBelow(each, originOf(address))) votes.set(each, (votes.get(each) ?? 0) + 1);
  const [first] = [...votes].sort(([, one], [, other]) => other - one);
  if (first !== undefined) return new URL(first[0]);
  const [own, ...more] = all
    .filter(({ given, address }) => given.length > 0 && address !== '')
    .map(({ address }) => address.split('/').slice(0, -1));
  if (own === undefined) return undefined;
  const folders = more.filter((each) => each[2] === own[2]);
  const end = own.findIndex((segment, index) => folders.some((each) => each[index] !== segment));
  return new URL(own.slice(0, end < 0 ? own.length : end).join('/'));
}
