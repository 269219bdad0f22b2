/** A text has one character for each octet. The live page knows no Buffer; it has a copy of this file, written by `npm run generate`. */
type Octets = Buffer | string;

/** A target that curl sends without changing it. */
export const plainTarget = /^\/(?!\/)[A-Za-z0-9._~/-]*(?:\?[A-Za-z0-9._~=&/-]*)?$/;

/** Octets as one word of a POSIX shell. The caller leaves out NUL and line breaks at the end, which a shell cannot keep. */
export function word(octets: Octets): string {
  if (octets.length === 0) return "''";
  return textOf(octets)
    .split(/([^\x20-\x7e]+)/)
    .flatMap((part, index) => (part === '' ? [] : index % 2 === 1 ? `"$(printf '${octal(part)}')"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('');
}

/** The first argument of printf, so that it prints exactly these octets. */
export function format(octets: Octets): string {
  return `'${textOf(octets).replace(/[^\x20-\x7e]|[%\\']/g, (each) => (each === '%' ? '%%' : octal(each)))}'`;
}

/** A comment line in printable characters. */
export function comment(text: string): string {
  const line = text.replace(/[^\x20-\x7e]+/g, '?');
  return `# ${line.length > 200 ? `${line.slice(0, 200)}...` : line}`;
}

function textOf(octets: Octets): string {
  return typeof octets === 'string' ? octets : octets.toString('latin1');
}

function octal(text: string): string {
  return [...text].map((each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
}
