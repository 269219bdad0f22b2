const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** The shape of nonces or tokens in words, as far as it is a usual one. */
export function shapeWords(pattern: RegExp): string {
  const takes = (text: string) => pattern.test(text);
  if (takes(uuid) && !takes(uuid.slice(1)) && !takes(uuid.replaceAll('-', '')) && !takes(`{${uuid}}`)) return 'a UUID';
  if (takes('0f'.repeat(32)) && takes('0F'.repeat(32)) && !takes('0g'.repeat(32)) && !takes(uuid)) return 'hexadecimal digits';
  return `the pattern ${pattern.source}`;
}
