import type { Protocol } from '../../spec/index.js';
import type { HeaderLine } from '../parts/index.js';
import { conditionsOf, type Looking } from './conditions.js';
import type { Presented, RecordedExchange, Rule, Step } from './exchange.js';
import type { KnownToken, Ledger } from './ledger.js';
import type { NonceReader } from './nonces.js';
import { reasonOf } from './reason.js';
import type { Noted } from './recorder.js';
import { Redactor } from './redact.js';

const shownCharacters = 4096;

/** What a description needs to know of the server. */
interface Knowledge {
  readonly protocol: Protocol;
  readonly auth: 'on' | 'off';
  readonly tokens: 'on' | 'off';
  readonly ledger: Ledger;
  readonly nonces: NonceReader;
  /** The exchange before this one that spent the nonce with this number. */
  spenderOf(nonce: number, before: number): number | undefined;
}

/** Describes exchanges: what was brought, by which rule it was answered, and why. */
export function describer(knowledge: Knowledge): (noted: Noted) => RecordedExchange {
  const { protocol, ledger, nonces } = knowledge;
  const redactor = new Redactor(protocol, ledger, nonces);
  const names = { token: protocol.headers.token.toLowerCase(), nonce: protocol.headers.nonce.toLowerCase() };

  return (noted) => {
    const { number, atMs, wallMs, tookMs, connection, method, target, answer, looked } = noted;
    const sent = pairs(noted.rawHeaders);
    const isPreflight = method === 'OPTIONS' && has(sent, 'origin') && has(sent, 'access-control-request-method');
    const issued = valueIn(answer.headers, names.token);
    const presented = presentedBy(noted, valueIn(sent, names.token), issued === undefined ? undefined : ledger.token(issued), issued);
    const because = conditionsOf({
      protocol,
      atMs,
      auth: knowledge.auth,
      isPreflight,
      presented,
      nonce: looked?.seen,
      spentBy: presented.nonce === 'spent' && looked?.seen !== undefined ? knowledge.spenderOf(looked.seen.number, number) : undefined,
    });
    const rule = ruleOf(because);
    const step = stepOf(noted, presented, isPreflight, valueIn(answer.headers, names.nonce) !== undefined, protocol);
    return {
      number,
      atMs,
      wallMs,
      tookMs,
      connection,
      method,
      target: redactor.text(target),
      headers: redactor.lines(sent, looked),
      status: answer.status,
      answerHeaders: redactor.lines(answer.headers),
      body: redactor.text(
        answer.body
          .subarray(0, shownCharacters * 4)
          .toString('utf8')
          .slice(0, shownCharacters),
      ),
      bodyOctets: answer.body.length,
      step,
      rule,
      reason: reasonOf(noted, { presented, because, rule, step, tokens: knowledge.tokens }),
      presented,
      because: because.map(({ otherwise: _, ...condition }) => condition),
      ...noted.on,
    };
  };
}

function presentedBy(noted: Noted, brought: string | undefined, issued: KnownToken | undefined, given: string | undefined): Presented {
  const { looked, token, user } = noted;
  const known = given === undefined ? token : issued;
  const state = given !== undefined ? 'issued' : brought === undefined ? 'none' : stateOf(noted);
  const owner = known?.record.user ?? looked?.user ?? user;
  return {
    nonce: looked?.nonce ?? 'none',
    ...(looked?.seen === undefined ? {} : { nonceNumber: looked.seen.number }),
    credentials: looked?.credentials ?? 'none',
    token: state,
    ...(known === undefined
      ? {}
      : { tokenNumber: known.number, tokenIssuedAtMs: known.record.issuedAtMs, tokenExpiresAtMs: known.record.expiresAtMs }),
    ...(owner === undefined ? {} : { user: owner }),
  };
}

/** A token that another instance issued, or that was issued too long ago to be remembered here, is known by whom it let in. */
function stateOf({ token, user, looked, atMs, on }: Noted): Presented['token'] {
  if (token === undefined) return user !== undefined && looked === undefined ? 'valid' : 'unknown';
  // What a fault kept to itself is unknown when the fault is off.
  if (!token.isStored && on.faults.length + on.variants.length === 0) return 'unknown';
  return token.record.expiresAtMs > atMs ? 'valid' : 'expired';
}

function ruleOf(because: readonly Looking[]): Rule {
  return (because.at(-1) as Looking).rule;
}

function stepOf({ answer, user, looked }: Noted, presented: Presented, isPreflight: boolean, hasNonce: boolean, protocol: Protocol): Step {
  if (presented.token === 'issued') return 'B';
  if (isPreflight) return 'other';
  if (user !== undefined) return presented.token === 'none' ? 'other' : 'C';
  const isRefusal = answer.status >= 400 && answer.status < 500;
  if (isRefusal && (presented.token !== 'none' || looked !== undefined)) return 'refused';
  return isRefusal && (hasNonce || answer.status === protocol.challenge.status) ? 'A' : 'other';
}

function pairs(raw: readonly string[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) lines.push([raw[index] as string, raw[index + 1] as string]);
  return lines;
}

function valueIn(lines: readonly HeaderLine[], name: string): string | undefined {
  return lines.find(([each]) => each.toLowerCase() === name)?.[1];
}

function has(lines: readonly HeaderLine[], name: string): boolean {
  return valueIn(lines, name) !== undefined;
}
