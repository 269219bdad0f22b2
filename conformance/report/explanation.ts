import { clip } from './escape.js';
import { violationFields } from './fields.js';
import type { ReportRequirement } from './report.js';
import { scriptWords } from './words.js';

/** How many characters one field may have. */
interface Limits {
  readonly text: number;
  readonly script: number;
}

/** Why a requirement is violated and how to see it again, as plain text. Not escaped for any format, only cut. */
export function explanation(requirement: ReportRequirement, limits: Limits = { text: 8000, script: 7000 }): string {
  return violationFields(requirement)
    .map(({ label, text, script }) => {
      const lines = (script === true ? scriptWords(text, limits.script) : clip(text, limits.text)).trimEnd().split('\n');
      return `${label}:${lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n  ${line}`).join('')}`;
    })
    .join('\n');
}
