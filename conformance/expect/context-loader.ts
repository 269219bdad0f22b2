import { type Exchange, fromTarget } from '../wire/index.js';
import { readBody } from './body.js';
import { bundledContexts } from './contexts/hydra.js';

/** Why a context could not be had. */
export class ContextProblem extends Error {
  override readonly name = 'ContextProblem';

  constructor(
    message: string,
    /** False where it is no fault of the target, or nobody can tell from here. */
    readonly judgeable: boolean,
  ) {
    super(message);
  }
}

export interface ContextSource {
  readonly baseUrl: URL;
  /** Reads an address of the target's own origin, with whatever the target wants to see for it. */
  readonly fetchContext: (url: URL) => Promise<Exchange>;
}

/** A context that is not there, or fails. One that is refused is told by the rows about tokens. */
const isMissing = (status: number) => status === 404 || status === 410 || status >= 500;
const maxContextBytes = 1024 * 1024;

/** One context, from the bundled copies or from the target's own origin; nobody else is ever asked. */
export async function loadContext(address: string, { baseUrl, fetchContext }: ContextSource): Promise<object> {
  const bundled = bundledContexts.get(address.replace(/#.*$/s, ''));
  if (bundled !== undefined) return bundled;
  if (!URL.canParse(address)) throw new ContextProblem(`The context ${fromTarget(JSON.stringify(address))} is no URL.`, true);
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ContextProblem(`The context ${fromTarget(address)} is not an HTTP address.`, true);
  if (url.origin !== baseUrl.origin)
    throw new ContextProblem(
      `The context ${fromTarget(address)} is on another origin. hydrauth contacts no other origin, and has no copy of this context.`,
      false,
    );
  const read = readContext(await fetchContext(url));
  if ('value' in read) return read.value;
  throw new ContextProblem(`The context ${fromTarget(address)} ${read.problem}`.trim(), read.judgeable);
}

function readContext({
  answer,
  problem,
}: Exchange): { readonly value: object } | { readonly problem: string; readonly judgeable: boolean } {
  if (problem !== undefined || answer === undefined) return { problem: `could not be read. ${problem?.message ?? ''}`, judgeable: false };
  const { status, body } = answer;
  if (status >= 300 && status < 400) return { problem: `answers with a redirect (${status}), which is not followed.`, judgeable: false };
  if (status < 200 || status > 299) return { problem: `answers with status ${status}.`, judgeable: isMissing(status) };
  if (body.length > maxContextBytes) return { problem: `is larger than ${maxContextBytes} octets.`, judgeable: false };
  const { value, problem: wrong } = readBody(answer);
  if (wrong !== undefined) return { problem: `is not JSON. ${wrong}`, judgeable: true };
  return typeof value === 'object' && value !== null ? { value } : { problem: 'is not a JSON object.', judgeable: true };
}
