import { unicodeEscape } from '../wire/index.js';
import type { Report } from './report.js';

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
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unicodeEscape(character);
}

/** JSON in valid Unicode, with invisible characters escaped so that a terminal can show it. `cut` shortens each text. */
export function jsonText(value: unknown, cut: (text: string) => string = (text) => text): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? cut(wellFormed(each)) : each), 2);
  return `${text.replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, unicodeEscape)}\n`;
}

export const jsonReport = (report: Report): string => jsonText(report);

/** Cuts a text to so many characters and notes how many are left out. */
export function clip(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${wellFormed(text.slice(0, characters)).replace(/\ufffd$/u, '')}… (${(text.length - characters).toLocaleString('en')} more characters)`;
}

const withEntities = (markup: RegExp) => (text: string) => visible(text).replace(markup, (each) => `&#${each.charCodeAt(0)};`);

/** For HTML text and attribute values. */
export const html = withEntities(/[&<>"'`]/g);

/** For XML 1.0: attribute values, in which line breaks survive, and text. Characters that XML cannot hold are escaped. */
export const xml = withEntities(/[&<>"'\n\t]/g);
export const xmlText = withEntities(/[&<>]/g);

/** For a <pre> block in Markdown. Nothing is added, because people copy from it. */
export const markdownBlock = withEntities(/[&<>"'`*_{}[\]#|~!@$\\^=]/g);

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

/** The lines of a text in one. A run of blanks is looked at once, wherever it begins. */
export const joinLines = (text: string, by: string): string => text.trim().replace(/(?<!\s)\s*\n\s*/g, by);
