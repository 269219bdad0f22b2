/** Breaks text into lines of at most so many characters, at blanks only: a word is copied whole. Its own line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const within = rest.lastIndexOf(' ', width);
      const blank = within > 0 ? within : rest.indexOf(' ', width);
      if (blank < 0) break;
      lines.push(rest.slice(0, blank));
      rest = rest.slice(blank + 1);
    }
    return [...lines, rest];
  });
}
