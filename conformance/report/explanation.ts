import { clip } from './escape.js';
import { violationFields } from './fields.js';
import type { ReportRequirement } from './report.js';
import { scriptWords } from './words.js';

/** How many characters one field may have, and where the JSON report is. */
interface Limits {
  readonly text?: number;
  readonly script?: number;
  readonly json?: string | undefined;
}

/** Why a requirement is violated and how to see it again, as plain text. Not escaped for any format, only cut. */
export function explanation(requirement: ReportRequirement, { text: most = 8000, script: longest = 7000, json }: Limits = {}): string {
  return violationFields(requirement, json)
    .filter(({ only }) => only !== 'short')
    .map(({ label, text, script }) => {
      const lines = (script === true ? scriptWords(text, longest) : clip(text, most)).trimEnd().split('\n');
      return `${label}:${lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n  ${line}`).join('')}`;
    })
    .join('\n');
}
