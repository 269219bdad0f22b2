import type { Protocol } from '../../spec/index.js';
import type { User } from '../options.js';
import { type HeaderLine, lineOctets, type RequestPlan } from '../wire/index.js';
import { composed, derived, type Known } from './derive.js';
import { createRedactor, type Redactor } from './redact.js';
import { format, plainTarget, word } from './shell.js';

export interface CurlContext {
  readonly baseUrl: URL;
  readonly users: readonly User[];
  readonly protocol: Protocol;
  readonly redactor: Redactor;
  /** The run did not verify certificates. */
  readonly insecure?: boolean;
  /** Names of headers that every request of the run carried. */
  readonly given?: readonly string[];
  /** Whether the target issued this nonce in the run. Without it a nonce from outside the chain is taken for a made-up one. */
  readonly issued?: (nonce: string) => boolean;
}

/** What the script has taken from answers so far. */
type Taken = Readonly<Record<'token' | 'nonce', readonly Known[]>>;

const bodyMethods = new Set(['POST', 'PUT', 'PATCH']);

/** Writes requests as curl commands, and gathers the variables that they need. */
export function curlWriter({ users, protocol, redactor, insecure, given = [] }: CurlContext, taken: Taken) {
  const needed = new Map<string, string>();
  const hidden = new Map<string, string>();
  /** Finds parts of right credentials. Wrong credentials without such a part may be shown. */
  const rightCredentials = createRedactor(protocol);
  const paraphrases = users.map(({ id, paraphrase }, index) => {
    rightCredentials.user(id, paraphrase);
    return { id, variable: `PARAPHRASE_${index + 1}`, octets: Buffer.from(paraphrase) };
  });

  /** A value out of paraphrases, which are then needed. */
  const fromParaphrases = (made: string | undefined) => {
    for (const { id, variable } of paraphrases)
      if (made?.includes(`$${variable}"`) === true) needed.set(variable, `the paraphrase of user ${id}`);
    return made;
  };

  const asTheyAre = (meaning: string, value: string) => {
    const isSecret =
      rightCredentials.text(meaning) !== meaning || users.some(({ paraphrase }) => paraphrase !== '' && meaning.endsWith(`:${paraphrase}`));
    return isSecret ? undefined : word(lineOctets(value));
  };

  /** A scheme and base64 of id, colon and a paraphrase or something near it, put together in the script. */
  const credentials = (value: string) => {
    const parts = /^(\S+ +)([A-Za-z0-9+/]+=*)$/.exec(value);
    const octets = Buffer.from(parts?.[2] ?? '', 'base64');
    if (parts === null || octets.toString('base64') !== parts[2]) return asTheyAre(value, value);
    const begin = octets.indexOf(':') + 1;
    const id = octets.toString('latin1', 0, begin);
    const latin1 = octets.toString('latin1', begin);
    const recoded = paraphrases.find((each) => each.octets.toString() === latin1 && /[\x80-\xff]/.test(latin1));
    const near = begin === octets.length ? "''" : derived(octets.subarray(begin), paraphrases);
    const made = fromParaphrases(recoded === undefined ? near : `"$${recoded.variable}"`);
    if (made === undefined || rightCredentials.text(id) !== id) return asTheyAre(octets.toString('utf8'), value);
    const convert = recoded === undefined ? '' : ' | iconv -f UTF-8 -t ISO-8859-1';
    return `${word(lineOctets(parts[1] as string))}"$(printf %s ${word(octets.subarray(0, begin))}${made}${convert} | base64 | tr -d '\\n')"`;
  };

  /** A text with variables for the known values in it. A text with another secret in it becomes one variable as a whole. */
  const literal = (text: string, known: readonly Known[], words: string) => {
    const isSecret = (part: Buffer) => redactor.text(part.toString('latin1')) !== part.toString('latin1');
    const written = composed(lineOctets(text), known, isSecret);
    if (written !== undefined) return written;
    const variable = hidden.get(text) ?? `VALUE_${hidden.size + 1}`;
    hidden.set(text, variable);
    needed.set(variable, `${words}, which holds a secret`);
    return `"$${variable}"`;
  };

  const header = ([name, value]: HeaderLine) => {
    const { token, nonce, authorization } = protocol.headers;
    // Curl sends a header without a value when a semicolon stands in place of the colon.
    if (value === '') return word(lineOctets(`${name};`));
    const is = (other: string) => name.toLowerCase() === other.toLowerCase();
    const known = is(token) ? taken.token : is(nonce) ? taken.nonce : [];
    const made = is(authorization) ? credentials(value) : derived(lineOctets(value), known);
    return word(lineOctets(`${name}: `)) + (made ?? literal(value, [...taken.token, ...taken.nonce], `the value of ${name}`));
  };

  const givenHeader = (name: string, index: number) => {
    needed.set(`HEADER_${index + 1}`, `the value of ${name}, which the run was given`);
    return `-H ${word(lineOctets(`${name}: `))}"$HEADER_${index + 1}"`;
  };

  return {
    command(plan: RequestPlan): string {
      const { method, target, headers } = plan;
      const names = new Set(headers.map(([name]) => name.toLowerCase()));
      const sendsBody = plan.body !== undefined || bodyMethods.has(method);
      // Curl adds these headers unless their name is given with nothing behind the colon.
      const suppressed = ['Accept', 'User-Agent', ...(sendsBody ? ['Content-Type'] : [])].filter((name) => !names.has(name.toLowerCase()));
      const isGiven = ([name]: HeaderLine) => given.some((each) => each.toLowerCase() === name.toLowerCase());
      const parts = [
        `curl -sS -i -g --http${plan.httpVersion ?? '1.1'} --path-as-is --max-time 30`,
        insecure === true ? '-k' : '',
        method === 'HEAD' ? '--head' : `-X ${word(Buffer.from(method))}`,
        ...suppressed.map((name) => `-H '${name}:'`),
        ...given.map(givenHeader),
        ...headers.filter((line) => !isGiven(line)).map((line) => `-H ${header(line)}`),
        sendsBody ? '--data-binary @-' : '',
      ];
      const written = literal(target, taken.token, 'the target of a request');
      const address = plainTarget.test(target) ? `"$ORIGIN"${written}` : `--request-target ${written} "$ORIGIN/"`;
      const command = [...parts, address].filter((part) => part !== '').join(' ');
      return sendsBody ? `printf ${format(Buffer.from(plan.body ?? ''))} | ${command}` : command;
    },
    /** What stands at the top of the script. */
    variables: () => [...needed].map(([name, words]) => `${name}=\${${name}:-'...'}  # ${words.replace(/[^\x20-\x7e]/g, '?')}`),
  };
}
