import type { Spec } from '../../spec/index.js';
import { collectionDescription, requestDescription } from './describe.js';
import { libraryLines } from './generated/library.js';
import { libraryScript, sandboxOnly, targetVariables } from './library-script.js';
import { type PlannedFolder, type PlannedRequest, planned, stateOf, testName } from './plan/index.js';

/** Fixed, so that importing a newer collection replaces the older one. */
const collectionId = '6b1f3c0e-5a0d-4c39-9d56-3a8e3f0f7c21';
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
    info: { _postman_id: collectionId, name: 'hydrauth', description: collectionDescription(spec, folders), schema },
    auth: { type: 'noauth' },
    event: [script('prerequest', libraryScript(spec, library))],
    variable: [...targetVariables, 'clock_url'].map((key) => ({ key, value: '', type: 'string' })),
    item: folders.map((folder) => folderItem(spec, folder)),
  };
}

export function postmanCollectionText(spec: Spec, library = libraryLines): string {
  return `${JSON.stringify(postmanCollection(spec, library), null, 2)}\n`;
}

function folderItem(spec: Spec, folder: PlannedFolder): object {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.about,
    item: folder.requests.map((request) => requestItem(spec, request)),
  };
}

function requestItem(spec: Spec, request: PlannedRequest): object {
  const { id, name, method, url, headers, body } = request;
  return {
    id,
    name,
    protocolProfileBehavior,
    event: [script('prerequest', before(request)), script('test', after(request))],
    request: {
      description: requestDescription(spec, request),
      auth: { type: 'noauth' },
      method,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
      url: { raw: url, ...parts(url) },
    },
    response: [],
  };
}

/** Postman wants the parts beside the whole; every address here is a variable and at most a path after it. */
function parts(url: string): { host: string[]; path?: string[] } {
  const [host, ...path] = url.split('/');
  return { host: [host as string], ...(path.length > 0 ? { path } : {}) };
}

function before({ checks, needs, sets, before: code }: PlannedRequest): string {
  const tests = checks.map((check) => ({
    name: testName(check),
    ...(check.refusal === undefined ? {} : { refusal: stateOf(check.refusal) }),
  }));
  const arranged = `h.arrange(${JSON.stringify({ needs, forgets: sets, tests }, null, 2)})`;
  return `const h = hydrauth(pm);\n${code === '' ? `${arranged};` : `if (${arranged}) {\n${indented(code)}\n}`}`;
}

function after({ checks, keep }: PlannedRequest): string {
  const judged = checks.map((check) => {
    const judge = check.code.includes('\n') ? `{\n${indented(check.code)}\n}` : check.code;
    return `h.check(${JSON.stringify(testName(check))}, () => ${judge});`;
  });
  const lines = [...(keep === '' ? [] : [keep]), ...judged].join('\n');
  return `const h = hydrauth(pm);\nif (h.answered()) {\n${indented(lines)}\n}`;
}

function indented(code: string): string {
  return code.replace(/^/gm, '  ');
}

function script(listen: 'prerequest' | 'test', code: string): object {
  return { listen, script: { type: 'text/javascript', exec: [sandboxOnly, ...code.split('\n')] } };
}
