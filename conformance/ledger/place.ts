/** The address that a target means, however it is spelled: without host, query, doubled slashes, dots, percent signs and letter case. */
export function placeOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const segments: string[] = [];
  for (const segment of decoded(path).split(/[/\\]+/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment.replace(/;.*$/s, ''));
  }
  return segments.join('/').toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
