import type { Outcome, Report } from '../report.js';
import { countOutcomes } from '../summary.js';

const outcomes: readonly [Outcome, string][] = [
  ['fail', 'Failed'],
  ['known-failure', 'Known'],
  ['warn', 'Warnings'],
  ['untested', 'Untested'],
  ['pass', 'Passed'],
];

/** Filter and search; hidden until the script that serves them runs. */
export function toolbar(report: Report): string {
  const counts = countOutcomes(report.requirements);
  const levels = (level: string) => report.requirements.filter((each) => each.level === level).length;
  const outcomeChips = [
    chip('outcome', 'all', `All ${counts.all}`, true),
    ...outcomes.filter(([outcome]) => counts[outcome] > 0).map(([outcome, word]) => chip('outcome', outcome, `${word} ${counts[outcome]}`)),
  ];
  const levelChips = [
    chip('level', 'all', 'All', true),
    chip('level', 'MUST', `MUST ${levels('MUST')}`),
    chip('level', 'SHOULD', `SHOULD ${levels('SHOULD')}`),
  ];
  return `<form class="toolbar" role="search" aria-label="Requirements" hidden>
<div class="search"><label class="label" for="search">Search</label><input type="search" id="search" placeholder="Words of an id or a statement" autocomplete="off" spellcheck="false"></div>
<fieldset><legend>Outcome</legend>${outcomeChips.join('')}</fieldset>
<fieldset><legend>Level</legend>${levelChips.join('')}</fieldset>
<p class="shown" role="status"></p>
</form>`;
}

function chip(name: string, value: string, label: string, checked = false): string {
  return `<label class="chip"><input type="radio" name="${name}" value="${value}"${checked ? ' checked' : ''}><span>${label}</span></label>`;
}
