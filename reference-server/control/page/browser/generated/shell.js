// @ts-nocheck: written by npm run generate from conformance/evidence/shell.ts
/** A target that curl sends without changing it. */
export const plainTarget = /^\/(?!\/)[A-Za-z0-9._~/-]*(?:\?[A-Za-z0-9._~=&/-]*)?$/;
/** Octets as one word of a POSIX shell. The caller leaves out NUL and line breaks at the end, which a shell cannot keep. */
export function word(octets) {
    if (octets.length === 0)
        return "''";
    return textOf(octets)
        .split(/([^\x20-\x7e]+)/)
        .flatMap((part, index) => (part === '' ? [] : index % 2 === 1 ? `"$(printf '${octal(part)}')"` : `'${part.replaceAll("'", "'\\''")}'`))
        .join('');
}
/** The first argument of printf, so that it prints exactly these octets. */
export function format(octets) {
    return `'${textOf(octets).replace(/[^\x20-\x7e]|[%\\']/g, (each) => (each === '%' ? '%%' : octal(each)))}'`;
}
/** A comment line in printable characters. */
export function comment(text) {
    const line = text.replace(/[^\x20-\x7e]+/g, '?');
    return `# ${line.length > 200 ? `${line.slice(0, 200)}...` : line}`;
}
function textOf(octets) {
    return typeof octets === 'string' ? octets : octets.toString('latin1');
}
function octal(text) {
    return [...text].map((each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
}
