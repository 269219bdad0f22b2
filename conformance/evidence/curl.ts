import type { Protocol } from '../../spec/index.js';
import { type Chain, type Exchange, headerValues, isClockMove, statusWords } from '../wire/index.js';
import { type CurlContext, curlWriter } from './curl-request.js';
import type { Known } from './derive.js';
import { comment, word } from './shell.js';

/** A shell script that repeats a chain. Secrets are variables; nonces and tokens are taken from the answers as they come. */
export function curlScript(chain: Chain, context: CurlContext): string {
  const { protocol, redactor } = context;
  const known = { token: [] as Known[], nonce: [] as Known[] };
  const { command, variables } = curlWriter(context, known);
  const body: string[] = [];
  let challenges = 0;
  for (const [index, link] of chain.entries()) {
    const place = index + 1;
    if (isClockMove(link)) {
      body.push('', ...moveClock(link.advancedMs, place));
      continue;
    }
    for (const nonce of spentNonces(link, known.nonce, context)) {
      challenges += 1;
      body.push('', comment(`The nonce of request ${place} was already used; a new challenge gives another.`));
      body.push(...keepAnswer(`CHALLENGE_${challenges}`, command({ method: 'GET', target: link.request.target, headers: [] })));
      body.push(takeHeader(`CHALLENGE_${challenges}`, `FRESH_NONCE_${challenges}`, protocol.headers.nonce));
      known.nonce.push({ variable: `FRESH_NONCE_${challenges}`, octets: Buffer.from(nonce, 'latin1') });
    }
    const { request, answer, problem } = link;
    const came = answer === undefined ? (problem?.message ?? 'no answer came') : `${statusWords(answer)} came`;
    body.push('', comment(`${place}. ${redactor.text(`${request.method} ${request.target}`)}: ${redactor.sentence(came)}`));
    if (request.awaitsAhead === true) body.push('# This was sent on the same connection as the previous request; curl opens a new one.');
    else if (request.ahead !== undefined)
      body.push('# This was sent right after the previous request, without waiting for its answer; curl waits.');
    const sent = command(request);
    const needed = neededLater(link, chain.slice(place), protocol);
    body.push(...(needed.length === 0 ? [sent] : keepAnswer(`ANSWER_${place}`, sent)));
    for (const { kind, value } of needed) {
      const variable = `${kind.toUpperCase()}_${place}`;
      body.push(takeHeader(`ANSWER_${place}`, variable, protocol.headers[kind]));
      known[kind].push({ variable, octets: Buffer.from(value, 'latin1') });
    }
  }
  const clock = chain.some(isClockMove) ? [`CLOCK_URL=\${CLOCK_URL:-''}  # where the target's clock is moved, if over HTTP`] : [];
  const origin = `ORIGIN=\${ORIGIN:-${word(Buffer.from(context.baseUrl.origin))}}`;
  const top = ['#!/bin/sh', '# Repeats the requests of this finding with curl. First replace the dots (...) with your values.', origin];
  return `${[...top, ...variables(), ...clock, ...body].join('\n')}\n`;
}

/** Nonces that this request presents, that the target issued, and whose challenge is not in the chain. */
function spentNonces({ request }: Exchange, known: readonly Known[], { protocol, issued }: CurlContext): string[] {
  const presented = new Set(headerValues(request, protocol.headers.nonce));
  return [...presented].filter((nonce) => issued?.(nonce) === true && !known.some(({ octets }) => octets.toString('latin1') === nonce));
}

/** The nonce and the token of this answer, where later requests of the chain present one. */
function neededLater({ answer }: Exchange, later: Chain, { headers }: Protocol): { kind: 'nonce' | 'token'; value: string }[] {
  return (['nonce', 'token'] as const).flatMap((kind) => {
    const [value = ''] = answer === undefined ? [] : headerValues(answer, headers[kind]);
    const presented = later.some((link) => !isClockMove(link) && headerValues(link.request, headers[kind]).length > 0);
    return value !== '' && presented ? [{ kind, value }] : [];
  });
}

function keepAnswer(variable: string, command: string): string[] {
  return [`${variable}=$(${command})`, `printf '%s\\n' "$${variable}"`];
}

function takeHeader(answer: string, variable: string, name: string): string {
  return `${variable}=$(printf '%s\\n' "$${answer}" | ${extract(name)})`;
}

/** Reads a header value, by its name in any letter case, above the first empty line. */
function extract(name: string): string {
  const anyCase = name.replace(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).replace(/[.*^$/\\]/g, '\\$&');
  return `tr -d '\\r' | sed -n ${word(Buffer.from(`/^$/q;s/^${anyCase}:[[:blank:]]*//p`))} | head -n 1`;
}

function moveClock(ms: number, place: number): string[] {
  const post = `curl -sS -X POST -H 'Content-Type: application/json' --data-binary '{"advanceMs": ${ms}}' "$CLOCK_URL"; echo`;
  const ask = `printf 'Move the clock of the target forward by ${ms} ms, then press Enter: '; read -r _ </dev/tty`;
  return [`# ${place}. The clock moves forward by ${ms} ms.`, `if [ -n "$CLOCK_URL" ]; then ${post}; else ${ask}; fi`];
}
