import { isUtf8 } from 'node:buffer';
import { count, durationWords, overlayLiterals, spec as ownSpec, type Protocol, type Spec } from '../../spec/index.js';
import { truncateBodies } from '../evidence/index.js';
import { headerOfThatShape } from '../expect/index.js';
import { type Finding, failure, told } from '../finding.js';
import { type Ending, inWords, isGranted } from '../oracle/index.js';
import { ifUntested, type Subject, Trial } from '../subject/index.js';
import { type Answer, type Exchange, fromTarget, headerValues, type RequestPlan } from '../wire/index.js';
import type { OpenTarget } from './target.js';

/** So often something must fail in a row, and then when it is tried alone, before it is held to be over. */
const leastFailures = 3;
/** So many of the requests in between are shown; the most unusual one is the likeliest cause. */
const mostSuspects = 3;
/** So many headers of a request are named. */
const mostNames = 6;
const requirement = 'exchange.status';
const expected = 'a login that worked before still works';

/** Whether logins worked and then never again, with the requests that came between. To be called when everything else is done. */
export async function endedLogins(target: OpenTarget, selected: ReadonlySet<string>): Promise<Finding[]> {
  const ending = selected.has(requirement) ? target.oracle.ended('logins') : undefined;
  if (ending === undefined || ending.failures.length < leastFailures || (await someoneLogsIn(target))) return [];
  return [findingOf(ending, target)];
}

/** On connections of their own, so that nothing that was asked before matters. */
async function someoneLogsIn(target: OpenTarget): Promise<boolean> {
  const fresh = { freshConnection: true };
  for (let tries = 0; tries < leastFailures; tries += 1)
    for (const user of target.users) {
      const trial = new Trial(target);
      const login = trial.challenge(fresh).then((nonce) => trial.exchange(nonce, user, fresh));
      const exchange = await login.catch(ifUntested);
      // What cannot be asked any more is not over.
      if (exchange === undefined || isGranted(exchange, target.protocol)) return true;
    }
  return false;
}

function findingOf({ lastWorked, between, failures }: Ending, { protocol }: OpenTarget): Finding {
  const [first] = failures;
  const suspects = suspectsOf(between, protocol);
  const actual = `${inWords(first, protocol)} from then on, every time`;
  const after = suspects.at(-1);
  return failure(requirement, `${requirement}/never-again`, expected, actual, {
    message: `${told(expected, actual)}${after === undefined ? '' : ` The likeliest cause is ${requestWords(after.request)}.`}`,
    chain: truncateBodies([...new Set([lastWorked, ...suspects, first])]),
    rate: { failed: failures.length, of: failures.length },
    about: 'login',
    // Nonces that come twice, say, are told by a row of their own.
    doubt: 'other causes',
  });
}

/** Of a target that stopped answering: the most unusual of the requests before that. Whether it is the cause, nobody can ask any more. */
export function lastUnusual({ oracle, protocol }: OpenTarget): string {
  const suspect = suspectsOf(oracle.ended('answers')?.between ?? [], protocol).at(-1);
  return suspect === undefined ? '' : ` The most unusual request before it was ${requestWords(suspect.request)}.`;
}

/** The most unusual of the requests in between, the likeliest cause last. */
function suspectsOf(between: readonly Exchange[], protocol: Protocol): Exchange[] {
  return [...between].sort((one, other) => oddityOf(one, protocol) - oddityOf(other, protocol)).slice(-mostSuspects);
}

function oddityOf({ request, answer }: Exchange, protocol: Protocol): number {
  const { method, target, headers, body, httpVersion } = request;
  const credentials = headerValues(request, protocol.headers.authorization).map((each) =>
    Buffer.from(each.slice(each.indexOf(' ')), 'base64'),
  );
  const broken = credentials.filter((octets) => !isUtf8(octets) || !octets.includes(':')).length;
  const odd = 2 * broken + headers.filter(([, value]) => /[^ -~]/.test(value) || value.length > 300).length;
  const lines = Math.min(headers.length, 9) + [method !== 'GET', body !== undefined, httpVersion !== undefined].filter(Boolean).length;
  const failed = answer === undefined || answer.status >= 500 ? 20 : 0;
  return failed + 10 * odd + lines + (target.length > 200 ? 10 : 0);
}

/** Without the values of headers, some of which are secret. */
export function requestWords({ method, target, headers }: RequestPlan): string {
  const all = headers.map(([name]) => name);
  const shown = all.length > mostNames ? all.filter((name) => !/-\d+$/.test(name)).slice(0, mostNames) : all;
  const names = [...shown, ...(all.length > shown.length ? [count(all.length - shown.length, 'more header line')] : [])];
  return `${method} ${fromTarget(target)}${names.length === 0 ? '' : ` with ${names.join(', ')}`}`;
}

/** Code that throws drops a connection; plain servers drop those that come beside others. */
export function dropAdvice({ patience: { dropped }, concurrency }: OpenTarget): string {
  if (dropped === 0) return '';
  const beside = concurrency === 1 ? '' : '; if there are none, the server may drop connections under load: try --concurrency 1';
  return ` Look for exceptions in the log of the service${beside}.`;
}

export function remarksOf(target: OpenTarget): string[] {
  const { facts, client, redirects } = target;
  const { dropped, late, over } = target.patience;
  const { served, unread } = client;
  const { perSecond } = client.pace;
  const remarks: string[] = facts.hint === undefined ? [] : [facts.hint];
  if (dropped > 0 && over === undefined) remarks.push(`Connections closed without an answer: ${dropped}.${dropAdvice(target)}`);
  // One that was left waiting for another connection to close is told below.
  if (late !== undefined && over === undefined && facts.oneConnection === undefined)
    remarks.push(
      `${count(late.times, 'request')} got no whole answer in time, which slows the run down. The simplest of them was ${requestWords(late.plainest)}.`,
    );
  remarks.push(...[facts.oneConnection ?? [], facts.connectionsRemember ?? []].flat());
  if (unread > 0)
    remarks.push(
      `${count(unread, 'request')} on kept connections got a 400 that closed the connection, and were sent again on new ones. A server or proxy seems to have misread the previous request on the connection. Only the second answer counts.`,
    );
  if (served !== undefined)
    remarks.push(`The server answered on ${count(served, 'connection')} at a time and kept further ones waiting, so no more were opened.`);
  if (facts.oneAtATime !== undefined) remarks.push(facts.oneAtATime);
  if (perSecond !== undefined)
    remarks.push(`At the end ${Math.round(perSecond)} requests per second were sent, as many as the server or --rate allows.`);
  for (const [request, location] of [...redirects].slice(0, 3))
    remarks.push(`${fromTarget(request)} was answered with a redirect to ${fromTarget(location)}. Redirects are never followed.`);
  if (redirects.size > 3) remarks.push(`${redirects.size - 3} more requests were answered with redirects.`);
  return remarks;
}

type Values = Readonly<Partial<Record<keyof typeof overlayLiterals, string>>>;

/** A service with other names for its headers is judged with a profile, which is easily missed. */
export function noteOtherHeader({ facts, spec }: Subject, answer: Answer | undefined, what: 'nonce' | 'token'): void {
  const name = answer && headerOfThatShape(answer, spec.protocol);
  if (answer === undefined || name === undefined) return;
  const { authenticate, contentType } = spec.protocol.headers;
  const realm = /\brealm="([^"\\]+)"/i.exec(headerValues(answer, authenticate).join())?.[1];
  const mediaType = /^[^\s;,]+/.exec(headerValues(answer, contentType)[0] ?? '')?.[0];
  const seen = { [`${what}-header`]: name, ...(realm && { realm }), ...(mediaType && { 'media-type': mediaType }) };
  facts.hint = `${fromTarget(name)} looks like a ${what}. ${profileAdvice(spec, seen)}`;
}

const minuteMs = 60_000;
const longestMs = 24 * 60 * minuteMs;

/** A service whose tokens live for another number of whole minutes is judged with a profile, too. Each age is tried with a token of its own, used once. */
export async function noteOtherLifetime(subject: Subject): Promise<void> {
  const { clock, facts, protocol, spec } = subject;
  const { lifetimeMs } = protocol.token;
  if (!clock.isInstant || facts.noUse !== undefined || facts.hint !== undefined) return;
  const isValidAt = async (ageMs: number) => {
    const trial = new Trial(subject);
    const token = await trial.login();
    await clock.advance(ageMs);
    return isGranted(await trial.use(token), protocol);
  };
  let [valid, ended] = [0, Math.max(longestMs, 2 * lifetimeMs) / minuteMs];
  if (await isValidAt(ended * minuteMs)) return;
  while (ended - valid > 1) {
    const middle = Math.floor((valid + ended) / 2);
    if (await isValidAt(middle * minuteMs)) valid = middle;
    else ended = middle;
  }
  const livesMs = ended * minuteMs;
  if (livesMs === lifetimeMs || !(await isValidAt(livesMs - minuteMs / 12))) return;
  facts.hint = `A token ended ${durationWords(livesMs)} after it was issued, not ${durationWords(lifetimeMs)}. ${profileAdvice(spec, { lifetime: `PT${ended}M` })}`;
}

/** How to judge a service that differs from the profile of the run in these values: without a profile, or with one that has all that differs from the source. */
function profileAdvice(spec: Spec, seen: Values): string {
  const usual = valuesOf(ownSpec);
  const isUsual = (option: string, value: string) => usual[option as keyof Values]?.toLowerCase() === value.toLowerCase();
  if (Object.entries(seen).every(([option, value]) => isUsual(option, value)))
    return 'The service answers as the protocol says without a profile: leave out --spec.';
  const words = Object.entries({ ...valuesOf(spec), ...seen })
    .filter(([option, value]) => !isUsual(option, value))
    .map(([option, value]) => `--${option} ${fromTarget(/^[\w./+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`)}`);
  return `Is that meant? Then judge the service with a profile: hydrauth export overlay ${words.join(' ')} > profile.yaml, then --spec profile.yaml (docs/profiles.md).`;
}

function valuesOf({ literals }: Spec): Values {
  const of = (name: string) => String(literals.find((each) => each.name === name)?.value);
  return Object.fromEntries(Object.entries(overlayLiterals).map(([option, name]) => [option, of(name)]));
}
