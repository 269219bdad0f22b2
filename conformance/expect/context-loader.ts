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

/** Reads an address of the target's own origin, with whatever the target wants to see for it. */
type FetchContext = (url: URL) => Promise<Exchange>;

export interface ContextSource {
  readonly baseUrl: URL;
  readonly fetchContext: FetchContext;
}

/** A context that is not there, or fails. One that is refused is told by the rows about tokens. */
const isMissing = (status: number) => status === 404 || status === 410 || status >= 500;
const maxContextBytes = 1024 * 1024;

/** One context, from the bundled copies or from the target's own origin; nobody else is ever asked. */
export async function loadContext(address: string, { baseUrl, fetchContext }: ContextSource): Promise<object> {
  const bundled = bundledContexts.get(address.replace(/#.*$/s, ''));
  if (bundled !== undefined) return bundled;
  const url = toUrl(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ContextProblem(`The context ${fromTarget(address)} is not an HTTP address.`, true);
  }
  if (url.origin !== baseUrl.origin) {
    throw new ContextProblem(
      `The context ${fromTarget(address)} is on another origin. hydrauth contacts no other origin, and has no copy of this context.`,
      false,
    );
  }
  return readContext(address, await fetchContext(url));
}

function toUrl(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw new ContextProblem(`The context ${fromTarget(JSON.stringify(address))} is no URL.`, true);
  }
}

function readContext(address: string, { answer, problem }: Exchange): object {
  if (problem !== undefined || answer === undefined) {
    throw new ContextProblem(`The context ${fromTarget(address)} could not be read. ${problem?.message ?? ''}`.trim(), false);
  }
  if (answer.status >= 300 && answer.status < 400) {
    throw new ContextProblem(
      `The context ${fromTarget(address)} answers with a redirect (${answer.status}), which is not followed.`,
      false,
    );
  }
  if (answer.status < 200 || answer.status > 299)
    throw new ContextProblem(`The context ${fromTarget(address)} answers with status ${answer.status}.`, isMissing(answer.status));
  if (answer.body.length > maxContextBytes)
    throw new ContextProblem(`The context ${fromTarget(address)} is larger than ${maxContextBytes} octets.`, false);
  const { value, problem: wrong } = readBody(answer);
  if (wrong !== undefined) throw new ContextProblem(`The context ${fromTarget(address)} is not JSON. ${wrong}`, true);
  if (typeof value !== 'object' || value === null)
    throw new ContextProblem(`The context ${fromTarget(address)} is not a JSON object.`, true);
  return value;
}
