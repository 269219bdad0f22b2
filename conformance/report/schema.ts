import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.js';

/** Names the format of reports. A change that breaks readers gets another number. */
export const reportSchemaId = 'https://hydrauth.example/schema/report-1.json';

export function reportSchema(): object {
  return JSON.parse(readFileSync(packageFile('conformance', 'report', 'report.schema.json'), 'utf8'));
}
