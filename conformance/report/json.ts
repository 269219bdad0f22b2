import { wellFormed } from './escape.js';
import type { Report } from './report.js';

/** The report as JSON. It is valid Unicode, and invisible characters are escaped so that a terminal can show it. */
export function jsonReport(report: Report): string {
  const text = JSON.stringify(report, (_, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value), 2);
  return `${text.replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, unicodeEscape)}\n`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
