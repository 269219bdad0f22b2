import type { Protocol } from '../../spec/index.js';
import { type Chain, type Exchange, headerValues, isClockMove } from '../wire/index.js';
import { CurlRequest, type CurlUser } from './curl-request.js';
import type { Known } from './derive.js';
import type { Redactor } from './redact.js';
import { comment, word } from './shell.js';

export interface CurlContext {
  readonly baseUrl: URL;
  readonly users: readonly CurlUser[];
  readonly protocol: Protocol;
  readonly redactor: Redactor;
  /** The run did not verify certificates. */
  readonly insecure?: boolean;
}

/** A shell script that repeats a chain. Secrets are variables; nonces and tokens are taken from the answers as they come. */
export function curlScript(chain: Chain, context: CurlContext): string {
  const { protocol, redactor } = context;
  const request = new CurlRequest(context);
  const tokens: Known[] = [];
  const nonces: Known[] = [];
  const body: string[] = [];
  let count = 0;
  for (const [index, link] of chain.entries()) {
    count += 1;
    if (isClockMove(link)) {
      body.push('', ...moveClock(link.advancedMs, count));
      continue;
    }
    body.push('', comment(`${count}. ${redactor.text(`${link.request.method} ${link.request.target}`)}: ${cameOf(link, redactor)}`));
    const command = request.command(link.request, { tokens, nonces });
    const taken = takes(link, chain.slice(index + 1), protocol, count);
    if (taken.length === 0) {
      body.push(command);
      continue;
    }
    body.push(`ANSWER_${count}=$(${command})`, `printf '%s\\n' "$ANSWER_${count}"`);
    for (const { known, name, into } of taken) {
      into === 'token' ? tokens.push(known) : nonces.push(known);
      body.push(`${known.variable}=$(printf '%s\\n' "$ANSWER_${count}" | ${extract(name)})`);
    }
  }
  const clock = chain.some(isClockMove) ? [`CLOCK_URL=\${CLOCK_URL:-''}  # where the target's clock is moved, if over HTTP`] : [];
  const origin = `ORIGIN=\${ORIGIN:-${word(Buffer.from(context.baseUrl.origin))}}`;
  const top = ['#!/bin/sh', '# Repeats the requests of this finding with curl. First fill in what is left open with dots.', origin];
  return `${[...top, ...request.variables, ...clock, ...body].join('\n')}\n`;
}

interface Taken {
  readonly into: 'nonce' | 'token';
  readonly name: string;
  readonly known: Known;
}

/** What later requests of the chain need from this answer. */
function takes({ answer }: Exchange, later: Chain, { headers }: Protocol, count: number): Taken[] {
  if (answer === undefined || later.every(isClockMove)) return [];
  return (['nonce', 'token'] as const).flatMap((into) => {
    const [value] = headerValues(answer, headers[into]);
    if (value === undefined || value === '') return [];
    const known = { variable: `${into.toUpperCase()}_${count}`, octets: Buffer.from(value, 'latin1') };
    const needed = later.some((link) => !isClockMove(link) && headerValues(link.request, headers[into]).length > 0);
    return needed ? [{ into, name: headers[into], known }] : [];
  });
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

function cameOf({ answer, problem }: Exchange, redactor: Redactor): string {
  if (answer === undefined) return redactor.text(problem?.message ?? 'no answer came');
  return redactor.text(`${answer.status} ${answer.reason} came`);
}
