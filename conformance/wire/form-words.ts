const separatorNames: Readonly<Record<string, string>> = { '-': 'hyphens', ':': 'colons', _: 'underscores', '.': 'points' };

/** What a secret value looks like, without the value: "64 hexadecimal digits", "36 characters, with hyphens: 8-4-4-4-12". */
export function formWords(value: string): string {
  const length = value.length;
  if (/^[0-9a-f]+$/i.test(value)) return `${length} hexadecimal digit${length === 1 ? '' : 's'}`;
  const characters = `${length} character${length === 1 ? '' : 's'}`;
  const others = value.replace(/[0-9a-f]/gi, '').split('');
  const distinct = others.filter((each, index) => others.indexOf(each) === index);
  const [separator = ''] = distinct;
  const parts = value.split(separator).map((part) => part.length);
  if (distinct.length === 1 && separatorNames[separator] !== undefined && parts.length <= 12)
    return `${characters}, with ${separatorNames[separator]}: ${parts.join(separator)}`;
  return `${characters}, not all of them hexadecimal digits`;
}
