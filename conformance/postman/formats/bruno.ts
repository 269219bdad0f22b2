import type { Spec } from '../../../spec/index.js';
import { collectionDescription, requestDescription } from '../describe.js';
import { type PlannedRequest, planned } from '../plan/index.js';
import { libraryScript, sandboxed, targetVariables } from '../script.js';

/** The collection as Bruno keeps one: a folder with a file for each request. The texts of the files by their paths. */
export function brunoFiles(spec: Spec): ReadonlyMap<string, string> {
  const folders = planned(spec);
  const library = libraryScript(spec)
    .replace(/^hydrauth = /, 'const hydrauth = ')
    .replace("require('url').resolve", 'resolved');
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: 'hydrauth', type: 'collection' }, null, 2)}\n`],
    ['collection.bru', block('docs', collectionDescription(spec, folders))],
    ['environments/target.bru', block('vars', [...targetVariables, 'clock_url'].map((name) => `${name}: `).join('\n'))],
    ['hydrauth.js', `${library}\n\n${adapter}`],
  ]);
  for (const [index, folder] of folders.entries()) {
    const path = `${index + 1}-${folder.id}`;
    files.set(`${path}/folder.bru`, block('meta', `name: ${folder.name}\nseq: ${index + 1}`));
    for (const [at, request] of folder.requests.entries()) files.set(`${path}/${request.id}.bru`, requestFile(spec, request, at + 1));
  }
  return files;
}

function requestFile(spec: Spec, request: PlannedRequest, seq: number): string {
  const { name, method, url, headers, body } = request;
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`);
  const told = JSON.stringify(sandboxed(request), null, 2);
  return [
    block('meta', `name: ${name}\ntype: http\nseq: ${seq}`),
    block(method.toLowerCase(), `url: ${url}\nbody: ${body === undefined ? 'none' : 'json'}\nauth: none`),
    ...(lines.length === 0 ? [] : [block('headers', lines.join('\n'))]),
    ...(body === undefined ? [] : [block('body:json', body)]),
    block('script:pre-request', `require('./hydrauth.js')(bru, req, undefined, test).before(${told});`),
    block('tests', `require('./hydrauth.js')(bru, req, res, test).after();`),
    block('settings', 'encodeUrl: false\nfollowRedirects: false\nmaxRedirects: 0'),
    block('docs', requestDescription(spec, request)),
  ].join('\n');
}

function block(name: string, text: string): string {
  return `${name} {\n${text.trimEnd().replace(/^(?=.)/gm, '  ')}\n}\n`;
}

/**
 * What Postman calls `pm`, made of what Bruno has. Its safe sandbox gives a body only as it was parsed, so that octets which are no UTF-8 and
 * members sent twice are not seen there; with `--sandbox developer` they are. Bruno cannot skip a test, so that one that is untested is printed.
 */
const adapter = `// RFC 3986, section 5.2; Bruno's safe sandbox has neither URL nor require('url').
function resolved(from, to) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(to)) return to;
  const [, scheme, host, path] = /^([^:]+:)(\\/\\/[^/?#]*)([^?#]*)/.exec(from) || [];
  if (to.startsWith('//')) return scheme + to;
  const target = to.startsWith('/') ? to : /^(?:$|[?#])/.test(to) ? path + to : path.replace(/[^/]*$/, '') + to;
  const [, rest, tail] = /^([^?#]*)(.*)$/.exec(target);
  const parts = rest.split('/').reduce((kept, part) => (part === '..' ? kept.slice(0, -1) : part === '.' ? kept : [...kept, part]), []);
  return scheme + host + (parts[0] === '' ? '' : '/') + parts.join('/') + tail;
}

const own = { get: (name) => bruOf.getVar(name), set: (name, value) => bruOf.setVar(name, value) };
let bruOf;

function responseOf(res) {
  if (!res || !res.getStatus()) return { headers: { all: () => [] } };
  const lines = Object.entries(res.getHeaders()).flatMap(([key, value]) => [value].flat().map((each) => ({ key, value: each })));
  const body = res.getBody();
  const text = body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const stream = typeof res.getDataBuffer === 'function' ? res.getDataBuffer() : Buffer.from(text);
  return { code: res.getStatus(), headers: { all: () => lines }, stream, octets: res.getSize().body };
}

module.exports = (bru, req, res, test) => {
  bruOf = bru;
  const skip = (name) => console.log('  skipped: ' + name);
  return hydrauth({
    variables: { get: (name) => bru.runner.iterationData.get(name) || bru.getVar(name) || bru.getEnvVar(name), set: own.set },
    collectionVariables: own,
    request: { method: req.getMethod(), url: req.getUrl(), headers: { get: (name) => req.getHeader(name) } },
    response: responseOf(res),
    execution: { skipRequest: () => bru.runner.skipRequest() },
    test: Object.assign((name, run) => test(name, run), { skip }),
  });
};
`;
