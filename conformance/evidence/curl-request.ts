import type { Protocol } from '../../spec/index.js';
import { type HeaderLine, lineOctets, type RequestPlan } from '../wire/index.js';
import { composed, derived, type Known } from './derive.js';
import { createRedactor, type Redactor } from './redact.js';
import { format, plainTarget, word } from './shell.js';

export interface CurlUser {
  readonly id: string;
  readonly paraphrase: string;
}

interface Sources {
  readonly tokens: readonly Known[];
  readonly nonces: readonly Known[];
}

interface Surroundings {
  readonly users: readonly CurlUser[];
  readonly protocol: Protocol;
  readonly redactor: Redactor;
  readonly insecure?: boolean;
  readonly given?: readonly string[];
}

const bodyMethods = new Set(['POST', 'PUT', 'PATCH']);

/** Writes requests as curl commands, and gathers the variables that they need. */
export class CurlRequest {
  private readonly needed = new Map<string, string>();
  private readonly paraphrases: readonly (Known & { readonly id: string })[];
  private readonly hidden = new Map<string, string>();
  /** Finds parts of right credentials. Wrong credentials without such a part may be shown. */
  private readonly rightCredentials: Redactor;

  constructor(private readonly context: Surroundings) {
    this.rightCredentials = createRedactor(context.protocol);
    this.paraphrases = context.users.map(({ id, paraphrase }, index) => {
      this.rightCredentials.user(id, paraphrase);
      return { id, variable: `PARAPHRASE_${index + 1}`, octets: Buffer.from(paraphrase) };
    });
  }

  /** What stands at the top of the script. */
  get variables(): string[] {
    return [...this.needed].map(([name, words]) => `${name}=\${${name}:-'...'}  # ${words.replace(/[^\x20-\x7e]/g, '?')}`);
  }

  command(plan: RequestPlan, sources: Sources): string {
    const names = new Set(plan.headers.map(([name]) => name.toLowerCase()));
    const { given = [] } = this.context;
    const sendsBody = plan.body !== undefined || bodyMethods.has(plan.method);
    // Curl adds these headers unless their name is given with nothing behind the colon.
    const suppressed = ['Accept', 'User-Agent', ...(sendsBody ? ['Content-Type'] : [])].filter((name) => !names.has(name.toLowerCase()));
    const parts = [
      `curl -sS -i -g --http${plan.httpVersion ?? '1.1'} --path-as-is --max-time 30`,
      this.context.insecure === true ? '-k' : '',
      plan.method === 'HEAD' ? '--head' : `-X ${word(Buffer.from(plan.method))}`,
      ...suppressed.map((name) => `-H '${name}:'`),
      ...given.map((name, index) => this.givenHeader(name, index)),
      ...plan.headers
        .filter(([name]) => !given.some((each) => each.toLowerCase() === name.toLowerCase()))
        .map((line) => `-H ${this.header(line, sources)}`),
      sendsBody ? '--data-binary @-' : '',
      this.address(plan.target, sources),
    ];
    const command = parts.filter((part) => part !== '').join(' ');
    return sendsBody ? `printf ${format(Buffer.from(plan.body ?? ''))} | ${command}` : command;
  }

  private givenHeader(name: string, index: number): string {
    const variable = `HEADER_${index + 1}`;
    this.needed.set(variable, `the value of ${name}, which the run was given`);
    return `-H ${word(lineOctets(`${name}: `))}"$${variable}"`;
  }

  private address(target: string, { tokens }: Sources): string {
    const written = this.literal(target, tokens, 'the target of a request');
    return plainTarget.test(target) ? `"$ORIGIN"${written}` : `--request-target ${written} "$ORIGIN/"`;
  }

  private header([name, value]: HeaderLine, { tokens, nonces }: Sources): string {
    const { token, nonce, authorization } = this.context.protocol.headers;
    // Curl sends a header without a value when a semicolon stands in place of the colon.
    if (value === '') return word(lineOctets(`${name};`));
    const lower = name.toLowerCase();
    const known = lower === token.toLowerCase() ? tokens : lower === nonce.toLowerCase() ? nonces : [];
    const made = lower === authorization.toLowerCase() ? this.credentials(value) : derived(lineOctets(value), known);
    return word(lineOctets(`${name}: `)) + (made ?? this.literal(value, [...tokens, ...nonces], `the value of ${name}`));
  }

  /** A scheme and base64 of id, colon and a paraphrase or something near it, put together in the script. */
  private credentials(value: string): string | undefined {
    const parts = /^(\S+ +)([A-Za-z0-9+/]+=*)$/.exec(value);
    const octets = Buffer.from(parts?.[2] ?? '', 'base64');
    if (parts === null || octets.toString('base64') !== parts[2]) return this.asTheyAre(value, value);
    const begin = octets.indexOf(':') + 1;
    const id = octets.toString('latin1', 0, begin);
    const latin1 = octets.toString('latin1', begin);
    const recoded = this.paraphrases.find((each) => each.octets.toString() === latin1 && /[\x80-\xff]/.test(latin1));
    const made = recoded === undefined ? this.derived(octets.subarray(begin)) : `"$${this.need(recoded)}"`;
    if (made === undefined || this.rightCredentials.text(id) !== id) return this.asTheyAre(octets.toString('utf8'), value);
    const convert = recoded === undefined ? '' : ' | iconv -f UTF-8 -t ISO-8859-1';
    return `${word(lineOctets(parts[1] as string))}"$(printf %s ${word(octets.subarray(0, begin))}${made}${convert} | base64 | tr -d '\\n')"`;
  }

  private asTheyAre(meaning: string, value: string): string | undefined {
    const secret =
      this.rightCredentials.text(meaning) !== meaning ||
      this.context.users.some(({ paraphrase }) => paraphrase !== '' && meaning.endsWith(`:${paraphrase}`));
    return secret ? undefined : word(lineOctets(value));
  }

  private derived(octets: Buffer): string | undefined {
    if (octets.length === 0) return "''";
    const made = derived(octets, this.paraphrases);
    for (const each of this.paraphrases) if (made?.includes(`$${each.variable}"`) === true) this.need(each);
    return made;
  }

  private need(known: Known & { readonly id: string }): string {
    this.needed.set(known.variable, `the paraphrase of user ${known.id}`);
    return known.variable;
  }

  /** A text with variables for the known values in it. A text with another secret in it becomes one variable as a whole. */
  private literal(text: string, known: readonly Known[], words: string): string {
    const isSecret = (part: Buffer) => this.context.redactor.text(part.toString('latin1')) !== part.toString('latin1');
    const written = composed(lineOctets(text), known, isSecret);
    if (written !== undefined) return written;
    const variable = this.hidden.get(text) ?? `VALUE_${this.hidden.size + 1}`;
    this.hidden.set(text, variable);
    this.needed.set(variable, `${words}, which holds a secret`);
    return `"$${variable}"`;
  }
}
