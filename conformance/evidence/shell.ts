/** Octets as one word of a POSIX shell. The caller leaves out NUL and line breaks at the end, which a shell cannot keep. */
export function word(octets: Buffer): string {
  if (octets.length === 0) return "''";
  return octets
    .toString('latin1')
    .split(/([^\x20-\x7e]+)/)
    .flatMap((part, index) => (part === '' ? [] : index % 2 === 1 ? `"$(printf '${octal(part)}')"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('');
}

/** The first argument of printf, so that it prints exactly these octets. */
export function format(octets: Buffer): string {
  return `'${octets.toString('latin1').replace(/[^\x20-\x7e]|[%\\']/g, (each) => (each === '%' ? '%%' : octal(each)))}'`;
}

/** A comment line in printable characters. */
export function comment(text: string): string {
  const line = text.replace(/[^\x20-\x7e]+/g, '?');
  return `# ${line.length > 200 ? `${line.slice(0, 200)}...` : line}`;
}

function octal(text: string): string {
  return [...text].map((each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
}
