import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { fromTarget } from '../wire/index.js';
import { resolveUrl } from './addresses.js';
import { ContextProblem, type ContextSource, loadContext } from './context-loader.js';
import { tooDeep } from './json.js';

/** What expansion of a document came to. Not judgeable: it failed for a reason that says nothing about the target. */
type Expansion = { readonly ok: true } | { readonly ok: false; readonly problem: string; readonly judgeable: boolean };

interface ExpanderOptions extends ContextSource {
  /** For one document with all its contexts. */
  readonly timeoutMs?: number;
}

export interface Expander {
  /** Whether a parsed body, read at this address, is valid JSON-LD. Never rejects. */
  expand(value: unknown, documentUrl: URL | string): Promise<Expansion>;
}

const maxContexts = 20;
const maxDocumentCharacters = 2 * 1024 * 1024;
/** The library recurses: beyond some hundred levels its stack gives way. */
const maxDepth = 200;
/** Each takes a kilobyte and more while it is expanded. */
const maxValues = 40_000;
const defaultTimeoutMs = 10_000;
/** For all documents of a service, so that it does not hold up others that are judged beside it. */
const mostMs = 20_000;
const fine: Expansion = { ok: true };
const failed = (problem: string, judgeable = false): Expansion => ({ ok: false, problem, judgeable });
/**
 * Of the library only what expands: as a whole it brings an HTTP client, and as browsers load it a slow `JSON.stringify` for the whole process.
 * By itself it also keeps the last hundred contexts of the process, of megabytes each.
 */
const parts = ['jsonld/lib/expand.js', 'jsonld/lib/context.js', 'jsonld/lib/ContextResolver.js'] as const;
interface Library {
  expand(given: { readonly activeCtx: object; readonly element: object; readonly options: object }): Promise<unknown>;
  getInitialContext(options: object): object;
}
interface Resolver {
  resolve(asked: {
    readonly activeCtx: { readonly mappings: ReadonlyMap<string, object> };
  }): Promise<readonly { readonly document: object | null }[]>;
}
/** Each context that is added copies those in force, and brings its own. */
const mostTerms = 300_000;

/** Judges documents as JSON-LD. The library behind it is loaded when the first document needs it. */
export function createExpander(options: ExpanderOptions): Expander {
  const contexts = new Map<string, Promise<object>>();
  const known = new Map<string, Promise<Expansion>>();
  /** One document at a time: each may take much memory. */
  let last: Promise<Expansion> = Promise.resolve(fine);
  let spentMs = 0;
  const timed = async (expansion: () => Promise<Expansion>): Promise<Expansion> => {
    if (spentMs > mostMs) return failed(`The documents before it took longer than ${mostMs / 1000} s, and it was not expanded.`);
    const beganMs = performance.now();
    return expansion().finally(() => (spentMs += performance.now() - beganMs));
  };

  const context = (address: string): Promise<object> => {
    const kept = contexts.get(address);
    if (kept !== undefined) return kept;
    const loading = loadContext(address, options);
    contexts.set(address, loading);
    // What failed once may work later, when the target has recovered.
    loading.catch(() => contexts.delete(address));
    return loading;
  };

  return {
    async expand(value, address) {
      const documentUrl = new URL(address);
      const text = JSON.stringify(value);
      if (typeof value !== 'object' || value === null)
        return failed(`A JSON-LD document is an object or an array, not ${fromTarget(text)}.`, true);
      // Without keywords there is no context to go wrong, and nothing that expansion could object to.
      if (!text.includes('"@')) return fine;
      if (text.length > maxDocumentCharacters)
        return failed(`The document is longer than ${maxDocumentCharacters} characters and was not expanded.`);
      if (tooDeep(text, maxDepth, maxValues))
        return failed(
          `The document is nested more than ${maxDepth} levels deep or has more than ${maxValues} values, and was not expanded.`,
        );
      const key = createHash('sha256').update(`${documentUrl.href}\n${text}`).digest('base64');
      const kept = known.get(key);
      if (kept === undefined) {
        last = last.then(() => timed(() => expandOnce(value, documentUrl, context, options.timeoutMs ?? defaultTimeoutMs)));
        known.set(key, last);
      }
      const outcome = await (kept ?? last);
      if (!outcome.ok && !outcome.judgeable) known.delete(key);
      return outcome;
    },
  };
}

type LoadContext = (address: string) => Promise<object>;

async function expandOnce(value: object, documentUrl: URL, load: LoadContext, timeoutMs: number): Promise<Expansion> {
  let obstacle: ContextProblem | undefined;
  let loaded = 0;
  const documentLoader = async (address: string) => {
    try {
      loaded += 1;
      if (loaded > maxContexts) throw new ContextProblem(`The document needs more than ${maxContexts} contexts.`, false);
      const document = structuredClone(await load(address));
      return { contextUrl: undefined, document, documentUrl: address };
    } catch (error) {
      // Where nobody may ask any more, that is no fault of a document.
      obstacle ??= error instanceof ContextProblem ? error : new ContextProblem(sentence(error), false);
      throw error;
    }
  };
  // Where it cannot be loaded, that is no fault of a document. It may take longer than the time for a document.
  const [{ expand }, { getInitialContext }, ContextResolver] = (await Promise.all(
    parts.map(async (part) => (await import(part)).default),
  )) as [Library, Library, new (own: object) => Resolver];
  const contexts = new ContextResolver({ sharedCache: new Map() });
  let terms = 0;
  const contextResolver: Resolver = {
    async resolve(asked) {
      // The library gives nobody else a turn.
      await setImmediate();
      const resolved = await contexts.resolve(asked);
      for (const { document } of resolved) terms += asked.activeCtx.mappings.size + Object.keys(document ?? {}).length;
      if (terms > mostTerms) obstacle ??= new ContextProblem(`The contexts of the document bring more than ${mostTerms} terms.`, false);
      if (obstacle !== undefined) throw obstacle;
      return resolved;
    },
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      obstacle ??= new ContextProblem(`Expansion took longer than ${timeoutMs} ms.`, false);
      reject(obstacle);
    }, timeoutMs);
  });
  try {
    const element = withAbsoluteContexts(value, documentUrl);
    const options = { base: documentUrl.href, documentLoader, contextResolver };
    await Promise.race([expand({ activeCtx: getInitialContext(options), element, options }), late]);
    return fine;
  } catch (error) {
    const cause = obstacle ?? error;
    return cause instanceof ContextProblem ? failed(cause.message, cause.judgeable) : failed(sentence(cause), !overLimit(cause));
  } finally {
    clearTimeout(timer);
  }
}

/** The library stops after so many contexts, which a document may well have. */
function overLimit(error: unknown): boolean {
  return error instanceof RangeError || (error as { message?: string }).message?.startsWith('Maximum number of @context URLs') === true;
}

function sentence(error: unknown): string {
  const { message, details } = error as { message?: string; details?: { code?: string } };
  return fromTarget(details?.code === undefined ? `${message ?? error}` : `${message} (${details.code})`);
}

/**
 * A copy in which every context address is absolute. The JSON-LD library takes one relative address that stands twice in a
 * document for a circle.
 */
function withAbsoluteContexts(document: object, { href }: URL): object {
  const resolved = (context: unknown) => (typeof context === 'string' ? (resolveUrl(href, context) ?? context) : context);
  const copy = structuredClone(document);
  const open: object[] = [copy];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [name, member] of Object.entries(node)) {
      if (name === '@context') Object.assign(node, { [name]: Array.isArray(member) ? member.map(resolved) : resolved(member) });
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return copy;
}
