import type { Requirement, Spec } from '../../spec/index.js';
import type { Folder, PlannedRequest } from './plan/index.js';

/** The prose of the collection, from the catalogue: what each request shows, and what none can. */
export function collectionDescription({ catalogue, source }: Spec, folders: readonly Folder<PlannedRequest>[]): string {
  const title = (source.openapi as { info?: { title?: string } }).info?.title ?? '';
  const elsewhere = catalogue.requirements.filter((row) => row.engines.length > 0 && !row.engines.includes('postman'));
  const unchecked = catalogue.requirements.filter((row) => row.engines.length === 0);
  const observed = catalogue.open.filter((row) => row.engines.includes('laws'));
  return `${title}: its requirements by example, generated from the spec and its catalogue, version ${catalogue.version}.

Set the variables \`base_url\` (without a slash at the end), \`collection\`, \`user_id\` and \`paraphrase\`, then run the whole collection in order. With \`clock_url\`, the address of a clock that answers GET with \`{"now": …}\` and moves on POST of \`{"advanceMs": n}\`, expiry is tested too; without it those requests are skipped.

Each test is named for the requirement it speaks of. A skipped test is untested and says why: nothing counts as passed that was not seen. What must be refused is judged on the accepted control after it.

${folders.map((folder) => `- ${folder.name}: ${folder.about}`).join('\n')}

## Not shown here

One or a few requests cannot show these; \`hydrauth check --engine laws --only ID\` does, with the law of the same id:

${elsewhere.map(cited).join('\n')}

Nothing that is sent can show these:

${unchecked.map((row) => `${cited(row)} ${row.unchecked ?? ''}`.trimEnd()).join('\n')}

The text leaves these open; they are never judged, and \`hydrauth check\` answers them as observations:

${observed.map((row) => `- \`${row.id}\`: ${row.question}`).join('\n')}
`;
}

export function requestDescription({ catalogue }: Spec, { shows, checks, needs }: PlannedRequest): string {
  const rows = [...new Set(checks.map((check) => check.requirement))].map((id) => catalogue.requirement(id));
  const skipped = needs.map(({ reason }) => `- ${reason}`);
  return [
    shows,
    ...(rows.length > 0 ? [rows.map(cited).join('\n')] : []),
    ...(skipped.length > 0 ? [`Skipped when one of these is so:\n\n${[...new Set(skipped)].join('\n')}`] : []),
  ].join('\n\n');
}

function cited(row: Requirement): string {
  return `- \`${row.id}\` (${row.level}; section ${row.section}): ${row.statement}`;
}
