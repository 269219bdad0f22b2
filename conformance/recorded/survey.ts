import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { count, type Protocol } from '../../spec/index.js';
import { pairIn } from '../evidence/index.js';
import { isOfGateway, nonceOf, parseLinks, readBody, tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { grantOf } from '../oracle/index.js';
import { exchangeOf, type HarEntry, type HarFile, type Place, pathOf } from '../recording/index.js';
import { type Exchange, headerValues } from '../wire/index.js';

/** Where an entry stands and when it was sent. The entry itself is read again when its turn comes, because files may be large. */
export interface Take {
  readonly har: HarFile;
  readonly place: Place;
  sentAtMs: number;
  durationMs: number;
}

/** What traffic says of the service in it. */
export type Survey = Awaited<ReturnType<typeof survey>>;

/** Lets signals come, where so many entries were read since the last time. */
export async function breathe(entries: number, signal: AbortSignal | undefined): Promise<void> {
  if (entries % 250 !== 0) return;
  await setImmediate();
  signal?.throwIfAborted();
}

export const unclearWords = {
  stripped:
    'the file carries no Authorization header, or no nonce and no token: saved without sensitive data? In Chromium choose "Export HAR (with sensitive data)"',
  hidden: 'nonces, tokens or credentials in the file were replaced or left empty; save it without redaction',
  gateway: 'a gateway answered (502, 504, 520 to 530), and not the service',
} as const;
export type Unclear = keyof typeof unclearWords;

/** What is put in the place of secrets: nothing, a word, or a row of the same sign. */
const standsForSecret =
  /^\s*$|(?<![a-z0-9])(redacted|masked|hidden|removed|filtered|saniti[sz]ed|scrubbed|censored|omitted)(?![a-z0-9])|\*{3}|•{3}|█|…|\.{3}|^(\w+ )?[x\W]{3,}$/i;

/** Chromium's own answer, with which it goes on at https or where an extension says. */
const isInternal = ({ status, headers }: NonNullable<HarEntry['response']>) =>
  status === 307 && headers?.some(({ name }) => name.toLowerCase() === 'non-authoritative-reason');

/** The browser had the answer, so that the request never came to the service. */
const isOfBrowser = ({ _fromCache, _wasFulfilled, _fetchType = '', cache, response }: HarEntry) =>
  Boolean(_fromCache || _wasFulfilled || response?._fetchedViaServiceWorker || /Cache|Worker/.test(_fetchType)) ||
  (response && isInternal(response)) ||
  // What others know of a cache they tell of before, too.
  Object.keys(cache ?? {}).join() === 'afterRequest';

/** A nonce or a token: in which headers it stood, who gave it first, at which origin, and who brought it. */
interface Value {
  nonce?: true;
  token?: true;
  giver?: Take;
  origin?: string;
  readonly bringers: Take[];
}

/** Reads all files once. `isRun`: they hold a run of hydrauth, which has a clock of its own. */
export async function survey(
  files: readonly HarFile[],
  protocol: Protocol,
  given: URL | undefined,
  isRun: boolean,
  signal: AbortSignal | undefined,
) {
  const takes: Take[] = [];
  const lacking = new Map<string, number>();
  const lacks = (what: string, isSo = true) => isSo && lacking.set(what, (lacking.get(what) ?? 0) + 1);
  const values = new Map<string, Value>();
  const noted = (text: string): Value => {
    const value = values.get(text) ?? { bringers: [] };
    values.set(text, value);
    return value;
  };
  const shown = new Map(files.map((har) => [har, new Set<'authorization' | 'gift' | 'login' | 'pair' | 'token'>()]));
  const votes = new Map<string, number>();
  const [givers, read, answered, away] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  const refused = new Map<string, number>();
  const logins = new Map<string, User & { readonly address: string; readonly mayLack: HarFile | undefined }>();
  const documents = new Map<string, Take>();
  const owners = new Map<string, HarFile>();
  const otherNames = new Set<string>();
  const entries = new Set<string>();
  const keyOf = (what: unknown) => createHash('sha256').update(JSON.stringify(what)).digest('base64');
  const isOther = (what: unknown, har: HarFile) => {
    const key = keyOf(what);
    return (owners.get(key) ?? owners.set(key, har).get(key)) !== har;
  };
  /** A browser and a proxy behind it do not agree on times and lines, but on what was given, and when the service said it was. */
  const isElsewhere = ({ address, sent, came, given }: Seen, { answer }: Exchange, har: HarFile) => {
    const dates = answer === undefined ? [] : headerValues(answer, protocol.headers.date);
    return files.length > 1 && given.length > 0 && dates.length > 0 && isOther([address, sent, came, dates], har);
  };
  /** Whoever saves traffic again while it goes on has its beginning in both files. In one file only what is the same to the last octet is one. */
  const wasBefore = (entry: HarEntry, har: HarFile) => {
    if (entries.size === entries.add(keyOf(entry)).size) return true;
    if (files.length === 1) return false;
    // Browsers forget bodies while the page goes on.
    return isOther([entry.startedDateTime, entry.request, entry.response && { ...entry.response, content: undefined }], har);
  };
  let untimed: string | undefined;
  for (const har of files)
    for (const [index, place] of har.places.entries()) {
      await breathe(index, signal);
      const entry = har.entry(place);
      const sentAtMs = isRun ? (entry?._hydrauth?.sentAtMs ?? 0) : Date.parse(entry?.startedDateTime ?? '');
      if (entry === undefined || !(sentAtMs >= 0)) {
        if (entry !== undefined) untimed ??= `entry ${index + 1} of ${har.path}`;
        lacks(entry === undefined ? 'too large to be read' : 'without a time');
        continue;
      }
      const { request, response } = entry;
      if (!request.headers || (response && response.status > 0 && !response.headers)) {
        lacks('without headers');
        continue;
      }
      if (wasBefore(entry, har)) continue;
      if (isOfBrowser(entry)) {
        lacks('answered by a browser from its cache, by a service worker or by a test');
        continue;
      }
      const exchange = exchangeOf(entry, sentAtMs);
      const shownBy = seenIn(entry, exchange, protocol);
      if (isElsewhere(shownBy, exchange, har)) continue;
      lacks('with a negative duration', entry.time < 0);
      lacks('without an answer', exchange.answer === undefined && !isRun);
      lacks('without a whole body', exchange.answer !== undefined && exchange.problem?.code === 'aborted');
      const take: Take = { har, place, sentAtMs, durationMs: exchange.durationMs };
      takes.push(take);
      const { address, sent, grant, status, isRead, given: gifts, grantedTo, ...seen } = shownBy;
      for (const kind of ['nonce', 'token'] as const) {
        for (const text of [...sent[kind], ...seen.came[kind]]) noted(text)[kind] = true;
        for (const text of sent[kind]) noted(text).bringers.push(take);
      }
      for (const value of gifts.map(noted)) {
        if (!(value.giver && value.giver.sentAtMs <= take.sentAtMs)) value.giver = take;
        value.origin ??= originOf(address);
        if (value.origin !== originOf(address)) for (const each of [value.origin, originOf(address)]) otherNames.add(each);
      }
      const shows = shown.get(take.har);
      if (sent.authorization.length > 0 && !seen.isHidden) shows?.add('authorization');
      if (sent.authorization.length > 0 && grant === 'token') shows?.add('login');
      if (sent.token.length > 0) shows?.add('token');
      if (gifts.length > 0) shows?.add('gift');
      if (gifts.length > 0 && address !== '') givers.add(address);
      if (grantedTo !== undefined && grant === 'token') shows?.add('pair');
      // Where no token stands in a file, tools may have left out the one that was given.
      const mayLack = grant === 'token' || har.own !== undefined ? undefined : har;
      if (grantedTo !== undefined && !seen.isHidden)
        logins.set(`${address} ${grantedTo.id}:${grantedTo.paraphrase}`, { ...grantedTo, address, mayLack });
      for (const base of seen.bases) if (isBelow(base, originOf(address))) votes.set(base, (votes.get(base) ?? 0) + 1);
      const path = `${originOf(address)}${pathOf(entry.request.url)}`;
      const isProtected = grant === 'served' || (status === protocol.challenge.status && gifts.length > 0);
      if (sent.token.length > 0 && isRead && grant === 'served') read.add(address);
      if (sent.token.length > 0 && isRead && isProtected) answered.add(path);
      if (sent.token.length > 0 && [404, 410].includes(status) && isRead && !entry.request.url.includes('?')) away.add(address);
      const isStranger = Object.values(sent).flat().length === 0 && isRead;
      if (isStranger && isRefusal(shownBy, protocol) && (!refused.has(address) || status === protocol.challenge.status))
        refused.set(address, status);
      if (isRun ? entry._hydrauth?.['context'] === true : isRead && status === 200) documents.set(path, take);
    }
  const resolutionMs = takes.some(({ sentAtMs }) => sentAtMs % 1000 !== 0) ? 1 : 1000;
  inOrderOfUse(takes, values, resolutionMs);
  // What stands for a nonce and for a token alike is neither.
  const replaced = new Set([...values].filter(([, { nonce, token }]) => nonce && token).map(([text]) => text));
  values.clear();
  const baseUrl = given ?? baseIn(votes, givers);
  const base = baseUrl?.href.replace(/\/+$/, '') ?? '';
  const pairs = new Map<string, Set<string>>();
  for (const { id, paraphrase, address, mayLack } of logins.values())
    if (isBelow(address, base) && (mayLack === undefined || shown.get(mayLack)?.has('token')))
      pairs.set(id, (pairs.get(id) ?? new Set()).add(paraphrase));
  const statuses = [...refused].filter(([address]) => isBelow(address, base)).map(([, status]) => status);
  /** A thing that was not found at some time is made and deleted. */
  const isThere = (address = '') => isBelow(address, base) && !away.has(address);
  const leftOut = files.reduce((sum, { own }) => sum + (own?.leftOut ?? 0), 0);
  return {
    signal,
    /** Those of all addresses, in the order in which they were sent. */
    takes: takes as readonly Take[],
    baseUrl,
    /** Those who were seen to log in. */
    users: [...pairs].flatMap(([id, all]) => (all.size > 1 ? [] : [...all].map((paraphrase) => ({ id, paraphrase })))),
    /** Paths below the base URL that were served, and are always there. */
    served: [...read]
      .filter(isThere)
      .map((address) => address.slice(base.length + 1))
      .filter((path) => path !== '' && `/${path}` !== protocol.link.path),
    /** What a read with a token was served at, or challenged: such a read is to be served, with its query if it has one. */
    reads: [...answered].filter((each) => isThere(each.split('?')[0])).map((each) => each.slice(originOf(each).length)),
    challengeStatus: statuses.find((status) => status === protocol.challenge.status) ?? statuses[0],
    /** Origins at which one nonce or token was given: names of one service, before and behind a proxy. */
    otherNames: otherNames as ReadonlySet<string>,
    /** How exact the times are. */
    resolutionMs,
    /** Some body is not whole. */
    isCut: lacking.has('without a whole body'),
    /** The last document that was read at a path of the service. */
    document(path: string): Exchange | undefined {
      const { har, place, sentAtMs } = documents.get(`${baseUrl?.origin}${path}`) ?? {};
      return har && place && exchangeOf(har.entry(place) as HarEntry, sentAtMs ?? 0);
    },
    /** Why nobody can tell what a request carried, or who answered it. */
    unclear(har: HarFile, { status, isHidden, sent, came, grant }: Seen): Unclear | undefined {
      const shows = shown.get(har);
      if (isOfGateway({ status })) return 'gateway';
      // Our own recordings are whole.
      if (har.own !== undefined) return undefined;
      const isReplaced = [sent.nonce, sent.token, came.nonce, came.token].flat().some((each) => replaced.has(each));
      // Credentials that opened and that nobody can read were replaced, and with them all others.
      if (isHidden || isReplaced || (sent.authorization.length > 0 && shows?.has('login') && !shows.has('pair'))) return 'hidden';
      if (sent.token.length > 0) return undefined;
      // What stands nowhere in a file may have been left out of it. Who brings neither nonce nor token must not be served, whatever else was sent.
      const isServed = sent.nonce.length === 0 && grant === 'served';
      const isWhole = isServed ? shows?.has('token') || shows?.has('login') : shows?.has('authorization') && shows.has('gift');
      return isWhole ? undefined : 'stripped';
    },
    remarks: sentences(
      leftOut > 0 &&
        `${count(leftOut, 'exchange')} would have made the recording too large or too slow to write, and ${were(leftOut)} not recorded.`,
      ...[...lacking].map(([what, times]) => `${count(times, 'entry', 'entries')} ${what}: what that leaves open is not judged.`),
      untimed && `The first without a time is ${untimed}; startedDateTime must be a date such as 2026-01-31T12:00:00.000Z.`,
      ...[...pairs].map(
        ([id, { size }]) =>
          size > 1 &&
          `User ${id} was let in with different paraphrases. Nobody can tell from a recording which one is right, so the logins of this user are not judged.`,
      ),
    ),
  };
}

/** Those that there is reason to say. */
export const sentences = (...said: readonly (string | false | undefined)[]): string[] => said.flatMap((each) => each || []);

export const were = (times: number): string => (times === 1 ? 'was' : 'were');

/** Whoever sends what an answer gave has read that answer, even where times are not exact enough to say so, or its body was still to come. */
function inOrderOfUse(takes: Take[], values: ReadonlyMap<string, Value>, resolutionMs: number): void {
  for (const { giver, bringers } of values.values())
    for (const take of bringers) {
      if (giver === undefined || giver === take || giver.sentAtMs - take.sentAtMs > resolutionMs) continue;
      giver.durationMs = Math.max(0, Math.min(giver.durationMs, take.sentAtMs - giver.sentAtMs));
      take.sentAtMs = Math.max(take.sentAtMs, giver.sentAtMs);
    }
  takes.sort((one, other) => one.sentAtMs - other.sentAtMs);
}

export function isBelow(url: string, base: string): boolean {
  return base !== '' && (url === base || url.startsWith(`${base}/`));
}

export type Seen = ReturnType<typeof seenIn>;

/** Whether somebody is turned away, and not the request. */
export const isRefusal = ({ grant, status, given }: Seen, { challenge }: Protocol): boolean =>
  grant === 'nothing' && ([challenge.status, 403].includes(status) || given.length > 0);

/** What one exchange shows by itself. */
export function seenIn({ request: { url, method }, clientIPAddress = '' }: HarEntry, exchange: Exchange, protocol: Protocol) {
  const { answer } = exchange;
  const { headers, link } = protocol;
  const ofRequest = (name: string) => headerValues(exchange.request, name);
  const ofAnswer = (name: string) => (answer === undefined ? [] : headerValues(answer, name));
  const sent = { nonce: ofRequest(headers.nonce), token: ofRequest(headers.token), authorization: ofRequest(headers.authorization) };
  const came = { nonce: ofAnswer(headers.nonce), token: ofAnswer(headers.token) };
  const grant = answer === undefined ? 'nothing' : grantOf(answer, protocol);
  const given = answer === undefined ? [] : [tokenOf(answer, protocol) ?? [], nonceOf(answer, protocol) ?? []].flat();
  const documentation = parseLinks(ofAnswer(headers.link))
    .filter(({ relations }) => relations.includes(link.relation.toLowerCase()))
    .flatMap(({ target }) => (URL.canParse(target, url) ? [new URL(target, url).href] : []));
  return {
    /** Without its query. */
    address: URL.canParse(url) ? `${new URL(url).origin}${pathOf(url).split('?')[0]}` : '',
    /** Who sent it, as far as anybody can tell. */
    client: [...ofRequest('user-agent'), clientIPAddress].join(' '),
    sent,
    came,
    grant,
    status: answer?.status ?? 0,
    isRead: method === 'GET',
    /** The nonce and the token that the answer gave. */
    given,
    /** A nonce, a token or credentials were replaced. */
    isHidden: [...Object.values(sent), ...Object.values(came)].flat().some((value) => standsForSecret.test(value)),
    /** The service calls itself so. */
    bases: new Set(documentation.filter((each) => each.endsWith(link.path)).map((each) => each.slice(0, -link.path.length))),
    grantedTo: grant === 'token' || isAccepted(exchange, protocol) ? pairIn(sent.authorization[0] ?? '') : undefined,
  };
}

/** The service says itself that it let somebody in, whether it gave a token or not. */
function isAccepted({ request, answer }: Exchange, { exchange, headers }: Protocol): boolean {
  const isLogin = [headers.nonce, headers.authorization].every((name) => headerValues(request, name).length > 0);
  if (!isLogin || answer?.status !== exchange.status) return false;
  const said = Object(readBody(answer).value) as Record<string, unknown>;
  return Object.entries(exchange.body).every(([key, text]) => said[key] === text);
}

export const originOf = (address: string): string => address.split('/').slice(0, 3).join('/');

/** The base URL that most answers link to at the origin they came from; otherwise the folder of all that has to do with the protocol. */
function baseIn(votes: ReadonlyMap<string, number>, givers: ReadonlySet<string>): URL | undefined {
  const [first] = [...votes].sort(([, one], [, other]) => other - one);
  const readable = [...givers].filter((address) => URL.canParse(address));
  const [own = [], ...more] = readable.map((address) => address.split('/').slice(0, -1));
  const folders = more.filter((each) => each[0] === own[0] && each[2] === own[2]);
  const end = own.findIndex((segment, index) => folders.some((each) => each[index] !== segment));
  const base = first?.[0] ?? own.slice(0, end < 0 ? own.length : end).join('/');
  return URL.canParse(base) ? new URL(base) : undefined;
}
