/** The element names of an XML document in order of their start, or an error where it is not well-formed. Enough XML for what the kit writes. */
export function elementsOf(document: string): string[] {
  const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(document);
  if (forbidden !== null)
    throw new Error(`U+${forbidden[0].codePointAt(0)?.toString(16)} at ${forbidden.index} is no character of XML 1.0`);
  const names: string[] = [];
  const open: string[] = [];
  const text = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const token = /([^<]*)(?:<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>)?/gy;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const [all, between, closing, name, attributes, empty] = token.exec(text) as RegExpExecArray;
    if (all === '') throw new Error(`not markup: ${text.slice(at, at + 60)}`);
    const references = `${between}${attributes ?? ''}`.replace(/&#\d+;/g, '');
    if (references.includes('&') || (between ?? '').includes(']]>')) throw new Error(`a bare & or ]]> in ${all.slice(0, 80)}`);
    if (name === undefined) continue;
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      names.push(name);
      if (empty !== '/') open.push(name);
    }
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  return names;
}
