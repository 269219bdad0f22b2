import { wellFormed } from './escape.js';
import type { Report } from './report.js';

/** The report as JSON. */
export function jsonReport(report: Report): string {
  return jsonText(report);
}

/** JSON in valid Unicode, with invisible characters escaped so that a terminal can show it. `cut` shortens each text. */
export function jsonText(value: unknown, cut: (text: string) => string = (text) => text): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? cut(wellFormed(each)) : each), 2);
  return `${text.replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, unicodeEscape)}\n`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
