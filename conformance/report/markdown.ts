import { count } from '../../spec/index.js';
import { baselineText } from './baseline.js';
import { clip, markdownBlock, markdownLine } from './escape.js';
import { explanation } from './explanation.js';
import type { Report, ReportRequirement } from './report.js';
import { byStep, countOutcomes, headline, reportTally, skippedCount, untestedByReason, withOutcome, worstFirst } from './summary.js';
import { clientWords, targetName } from './target-words.js';
import { coverageWords, profileWords, skippedBecause, timeWords } from './words.js';

/** GitHub refuses comments of more than 65,536 characters. */
const limit = 58_000;

/** The report as a comment on a pull request: the verdict first, the rest folded away. */
export function markdownReport(report: Report, { json }: { readonly json?: string | undefined } = {}): string {
  const required = [heading(report), stepTable(report)];
  const optional = [
    ...violations('Failures', worstFirst(withOutcome(report, 'fail')), json),
    ...violations('Warnings', worstFirst(withOutcome(report, 'warn')), json),
    ...violations('Known failures, from the baseline', withOutcome(report, 'known-failure'), json),
    ...untested(report),
    ...skipped(report),
    ...passes(report),
    ...observations(report),
    ...remarks(report),
    ...baseline(report),
  ];
  return `${whatFits([...required, ...optional]).join('\n\n')}\n`;
}

/** Keeps the sections that fit whole, and says how many do not. */
function whatFits(sections: readonly string[]): string[] {
  let length = 0;
  const kept = sections.filter((section) => {
    length += section.length + 2;
    return length <= limit;
  });
  const left = sections.length - kept.length;
  return left === 0
    ? kept
    : [
        ...kept,
        `${count(left, 'more part')} of this report ${left === 1 ? 'does' : 'do'} not fit here; the JSON and HTML reports have everything.`,
      ];
}

function heading(report: Report): string {
  const { target, kit } = report;
  const serverSetting = () =>
    `${count(target.collections.length, 'collection')}, authentication ${target.auth}, clock ${target.clock}, engines ${kit.engines.join(' and ')}, seed ${kit.seed}${report.coverage === undefined ? '' : `; ${coverageWords(report.coverage)}`}`;
  const setting = target.client === undefined ? serverSetting() : clientWords(target.client);
  const facts = `${reportTally(report).join(', ')}; ${count(report.requests, 'request')} in ${timeWords(report.durationMs)}.`;
  return [
    `## ${headline(report).word}: ${code(targetName(target))}`,
    `**${line(headline(report).sentence)}** ${facts}`,
    `hydrauth ${markdownLine(kit.version)}; ${markdownLine(profileWords(report))}; ${markdownLine(setting)}.`,
  ].join('\n\n');
}

function stepTable(report: Report): string {
  const rows = byStep(report.requirements).map(({ title, requirements }) => {
    const counts = countOutcomes(requirements);
    const cells = [counts.pass, counts.fail, counts['known-failure'], counts.warn, counts.untested].map((number) => number || '');
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  return ['| Step | passed | failed | known | warnings | untested |', '| --- | ---: | ---: | ---: | ---: | ---: |', ...rows].join('\n');
}

function violations(title: string, requirements: readonly ReportRequirement[], json: string | undefined): string[] {
  if (requirements.length === 0) return [];
  return [`### ${title} (${requirements.length})`, ...requirements.map((each) => violation(each, json))];
}

function violation(requirement: ReportRequirement, json: string | undefined): string {
  return fold(`<b>${markdownLine(requirement.id)}</b>: ${line(requirement.statement)}`, [
    pre(explanation(requirement, { text: 1200, script: 4000, json })),
  ]);
}

function untested(report: Report): string[] {
  const groups = untestedByReason(report);
  if (groups.length === 0) return [];
  const lines = groups.map(
    ({ reason, requirements }) => `- ${line(reason)} (${requirements.map(({ id }) => markdownLine(id)).join(', ')})`,
  );
  return [fold(`Untested (${withOutcome(report, 'untested').length})`, [lines.join('\n')])];
}

function skipped(report: Report): string[] {
  const ids = report.skipped;
  return ids.length === 0 ? [] : [fold(`Skipped (${skippedCount(report)})`, [`${skippedBecause} (${ids.map(markdownLine).join(', ')})`])];
}

function passes(report: Report): string[] {
  const lines = withOutcome(report, 'pass').flatMap(({ id, restsOn }) =>
    restsOn === undefined ? [] : [`- ${markdownLine(id)}: ${line(restsOn)}`],
  );
  return lines.length === 0 ? [] : [fold(`What the passes rest upon (${lines.length})`, [lines.join('\n')])];
}

function observations(report: Report): string[] {
  if (report.observations.length === 0) return [];
  const rows = report.observations.map(({ question, answer, evidence }) => `| ${line(question)} | ${line(answer)} | ${line(evidence)} |`);
  const table = ['| Left open by the protocol | This target | Seen |', '| --- | --- | --- |', ...rows].join('\n');
  return [fold(`Observations, not judged (${report.observations.length})`, [table])];
}

function remarks(report: Report): string[] {
  return report.remarks.length === 0
    ? []
    : [['### Remarks', ...report.remarks.slice(0, 50).map((remark) => `- ${line(remark)}`)].join('\n')];
}

function baseline(report: Report): string[] {
  const text = baselineText(report);
  return text === '' ? [] : [fold('Entries for a baseline', [pre(text)])];
}

function fold(summary: string, parts: readonly string[]): string {
  return ['<details>', `<summary>${summary}</summary>`, '', ...parts, '', '</details>'].join('\n');
}

/** Markdown leaves a <pre> block alone up to its closing tag. */
function pre(text: string): string {
  return `<pre>\n${markdownBlock(text)}\n</pre>`;
}

function code(text: string): string {
  return `<code>${line(text)}</code>`;
}

function line(text: string): string {
  return markdownLine(clip(text, 400));
}
