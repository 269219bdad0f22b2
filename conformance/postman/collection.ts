import type { Spec } from '../../spec/index.js';
import type { HeaderLine } from '../wire/index.js';
import { collectionDescription, requestDescription } from './describe.js';
import { libraryLines } from './generated/library.js';
import { type PlannedRequest, planned } from './plan/index.js';
import { libraryScript, sandboxed, targetVariables } from './script.js';

/** Fixed, so that importing a newer collection replaces the older one. */
const _postman_id = '6b1f3c0e-5a0d-4c39-9d56-3a8e3f0f7c21';
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** What Postman must not do by itself: follow, remember, or add what would change the answer. */
const protocolProfileBehavior = {
  followRedirects: false,
  disableCookies: true,
  disabledSystemHeaders: { 'accept-encoding': true, 'cache-control': true, 'postman-token': true },
};

/** The collection in Postman's format 2.1, from the spec alone. */
export function postmanCollection(spec: Spec, library = libraryLines): object {
  const folders = planned(spec);
  return {
    info: { _postman_id, name: 'hydrauth', description: collectionDescription(spec, folders), schema },
    auth: { type: 'noauth' },
    event: [script('prerequest', libraryScript(spec, library))],
    variable: [...targetVariables, 'clock_url'].map((key) => ({ key, value: '', type: 'string' })),
    item: folders.map(({ id, name, about, requests }) => ({
      id,
      name,
      description: about,
      item: requests.map((request) => ({
        ...requestItem(request, requestDescription(spec, request)),
        event: [
          script('prerequest', `hydrauth(pm).before(${JSON.stringify(sandboxed(request), null, 2)});`),
          script('test', 'hydrauth(pm).after();'),
        ],
      })),
    })),
  };
}

export function postmanCollectionText(spec: Spec, library = libraryLines): string {
  return `${JSON.stringify(postmanCollection(spec, library), null, 2)}\n`;
}

/**
 * The same requests with one script each instead of three, for a run by the kit. Newman takes some ten milliseconds for each script, whatever
 * it does: this halves the time of a run. The library is defined once, and what belongs before a request runs at the end of the script after
 * the one before it. `headers` are lines that every request to the target carries, in place of those of the same name.
 */
export function quickCollection(spec: Spec, requests: readonly PlannedRequest[], headers: readonly HeaderLine[] = []): object {
  const rows = `hydrauthRows = ${JSON.stringify(requests.map(sandboxed))};`;
  const begin = `pm.variables.set('hydrauth_prepared', hydrauthRows[0].id);\nhydrauth(pm).before(hydrauthRows[0]);`;
  const first = [libraryScript(spec), rows, goOn, begin].join('\n');
  return {
    info: { name: 'hydrauth', schema },
    item: requests.map((request, index) => ({
      ...requestItem(request, undefined, headers),
      event: [...(index === 0 ? [script('prerequest', first)] : []), script('test', `hydrauthGoOn(pm, ${index});`)],
    })),
  };
}

/**
 * Judges the answer, and goes on to the first request that its own preparation does not skip. A script can only skip its own request, so that
 * a preparation that runs for another request gets a `skipRequest` of its own. A script that Newman had to stop has not prepared the next one.
 */
const goOn = `hydrauthGoOn = function (pm, at) {
  const { variables, collectionVariables, test } = pm;
  if (variables.get('hydrauth_prepared') !== hydrauthRows[at].id) throw new Error('it was not prepared');
  try {
    hydrauth(pm).after();
  } finally {
    let next = at, skipped = false;
    const execution = { skipRequest: () => { skipped = true; } };
    do {
      next += 1;
      skipped = false;
      if (next < hydrauthRows.length) hydrauth({ variables, collectionVariables, test, execution }).before(hydrauthRows[next]);
    } while (skipped);
    const id = next < hydrauthRows.length ? hydrauthRows[next].id : null;
    variables.set('hydrauth_prepared', id);
    pm.execution.setNextRequest(id);
  }
};`;

function requestItem(
  { id, name, method, headers, body, url, to }: PlannedRequest,
  description?: string,
  given: readonly HeaderLine[] = [],
) {
  const lines = to === 'clock' ? [] : given;
  const names = new Set(lines.map(([key]) => key.toLowerCase()));
  const own = Object.entries(headers).filter(([key]) => !names.has(key.toLowerCase()));
  // Postman wants the parts beside the whole; every address here is a variable and at most a path after it.
  const [host, ...path] = url.split('/');
  return {
    id,
    name,
    protocolProfileBehavior,
    request: {
      ...(description === undefined ? {} : { description }),
      auth: { type: 'noauth' },
      method,
      header: [...own, ...lines].map(([key, value]) => ({ key, value })),
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
      url: { raw: url, host: [host], ...(path.length > 0 ? { path } : {}) },
    },
    response: [],
  };
}

/** The first line leaves out the globals of Postman's old scripts, which cost a tenth of the time of a run. */
function script(listen: 'prerequest' | 'test', code: string): object {
  return { listen, script: { type: 'text/javascript', exec: ['"use sandbox2";', ...code.split('\n')] } };
}
