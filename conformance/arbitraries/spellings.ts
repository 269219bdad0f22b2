/** Another spelling of a path, and whether RFC 3986 calls it a legal path. */
export interface Spelling {
  readonly path: string;
  readonly how: string;
  readonly legal: boolean;
}

/** Spellings by which routers and guards have been led to disagree. `prefix` is the path of the base URL, `name` the last part. */
export function spellings(prefix: string, name: string): Spelling[] {
  const first = `%${name.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const made: Spelling[] = [
    { path: `${prefix}/${name}/`, how: 'a slash at the end', legal: true },
    { path: `${prefix}//${name}`, how: 'a doubled slash', legal: true },
    { path: `${prefix}/${name}//`, how: 'two slashes at the end', legal: true },
    { path: `${prefix}/./${name}`, how: 'a dot segment', legal: true },
    { path: `${prefix}/x/../${name}`, how: 'a double-dot segment', legal: true },
    { path: `${prefix}/${first}${name.slice(1)}`, how: 'its first letter percent-encoded', legal: true },
    { path: `${prefix}/${first.toUpperCase()}${name.slice(1)}`, how: 'its first letter percent-encoded in upper case', legal: true },
    { path: `${prefix}/${name.toUpperCase()}`, how: 'in upper case', legal: true },
    { path: `${prefix}/${name};x=1`, how: 'a path parameter', legal: true },
    { path: `${prefix}/${name}.json`, how: 'an ending', legal: true },
    { path: `${prefix}/${name}%20`, how: 'an encoded blank at the end', legal: true },
    { path: `${prefix}/${name}%2f`, how: 'an encoded slash at the end', legal: true },
    { path: `${prefix}%2f${name}`, how: 'an encoded slash in front', legal: true },
    { path: `${prefix}/${name}%3f`, how: 'an encoded question mark at the end', legal: true },
    { path: `${prefix}/%2e/${name}`, how: 'an encoded dot segment', legal: true },
    { path: `${prefix}/${name}/1`, how: 'a member of it', legal: true },
    { path: `/${prefix}/${name}`, how: 'a slash more in front', legal: true },
    { path: `${prefix}/${name}%00`, how: 'an encoded zero octet', legal: false },
    { path: `${prefix}/${name}%zz`, how: 'a malformed escape', legal: false },
    { path: `${prefix}/${name}%`, how: 'a lone percent sign', legal: false },
    { path: `${prefix}/%c0%ae/${name}`, how: 'an overlong encoding', legal: false },
    { path: `${prefix}\\${name}`, how: 'a backslash', legal: false },
  ];
  return made.filter((each) => each.path !== `${prefix}/${name}`);
}
