/** Characters that steer a terminal, hide text or reorder it. Tab and newline are not among them. */
const invisible =
  /(?![\n\t])[\p{Control}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Line_Separator}\p{Paragraph_Separator}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu;
const loneSurrogate = /\p{Surrogate}/gu;

/** Valid Unicode: half a surrogate pair becomes the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(loneSurrogate, '\ufffd');
}

/** Text that can be shown: an invisible character becomes an escape such as \x1b. Newlines and tabs stay. */
export function visible(text: string): string {
  return wellFormed(text).replace(invisible, escaped);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function escaped(character: string): string {
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0) as number;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Cuts a text to so many characters and notes how many are left out. */
export function clip(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${wellFormed(text.slice(0, characters)).replace(/\ufffd$/u, '')}… (${(text.length - characters).toLocaleString('en')} more characters)`;
}

/** For HTML text and attribute values. */
export function html(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, entity);
}

/** For XML 1.0 text and attribute values. Characters that XML cannot hold are escaped; line breaks survive in attributes. */
export function xml(text: string): string {
  return visible(text).replace(/[&<>"'\n\t]/g, entity);
}

/**
 * For a line of Markdown or a cell of its tables: nothing in the text is markup, a border, a mention, a reference to an issue, or a link.
 * Renderers look for the last three after they have resolved entities, so those also get a zero-width space.
 */
export function markdownLine(text: string): string {
  return markdownBlock(oneLine(text))
    .replaceAll('&#64;', '&#64;&#8203;')
    .replace(/&#35;(?=\d)/g, '&#35;&#8203;')
    .replaceAll('://', ':&#8203;//')
    .replace(/www\./gi, (match) => `${match.slice(0, 3)}&#8203;.`);
}

/** For a <pre> block in Markdown. Markup becomes entities; nothing is added, because people copy from it. */
export function markdownBlock(text: string): string {
  return visible(text).replace(/[&<>"'`*_{}[\]#|~!@$\\^=]/g, entity);
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
