/** So many of something, in words. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`;
}
