import { isObject, type Json, readYaml, SpecError } from './document.js';
import { applyOverlay } from './overlay.js';
import { specFiles } from './source.js';

const expected = 'an OpenAPI document (openapi: 3.1.0) or an overlay (overlay: 1.0.0) is expected';

/** The OpenAPI document of a file, or the one that an overlay in it makes of the package's own; and what to call it in a complaint. */
export function readSpecFile(path: string, own: Json): { readonly openapi: Json; readonly name: string } {
  const document = readYaml(path, expected);
  if (!isObject(document)) throw new SpecError(path, '', `it holds no object; ${expected}`);
  if (document['overlay'] !== undefined)
    return { openapi: withInfo(applyOverlay(own, document, path), path), name: `${path}, applied to ${specFiles.openapi},` };
  if (document['openapi'] === undefined) throw new SpecError(path, '/', `neither openapi nor overlay stands here; ${expected}`);
  const version = JSON.stringify(document['openapi']);
  if (!/^"3\.1\.\d+"$/.test(version)) throw new SpecError(path, '/openapi', `OpenAPI 3.1 is expected, not ${version}`);
  return { openapi: withInfo(document, path), name: path };
}

function withInfo(document: Json, path: string): Json {
  const info = isObject(document) ? document['info'] : undefined;
  for (const member of ['title', 'version']) {
    const value = isObject(info) ? info[member] : undefined;
    if (typeof value !== 'string' || value === '')
      throw new SpecError(path, `/info/${member}`, 'a text that names the profile is expected here');
  }
  return document;
}
