import { clip, html } from '../escape.js';
import type { Matrix, MatrixColumn, MatrixRequirement } from '../matrix.js';
import type { Outcome, ReportRequirement } from '../report.js';
import { counterexamples, foundWords } from '../summary.js';
import { outcomeWords } from '../words.js';
import { badge } from './badge.js';
import { versus } from './evidence.js';
import { anchor } from './requirement.js';

/** Told one service at a time. */
const told: readonly Outcome[] = ['fail', 'warn', 'known-failure', 'untested'];

/** What every service did about one requirement, the worst first. The script shows it as a panel beside the table. */
export function detail({ id, level, statement, differs, outcomes, rows }: MatrixRequirement, { implementations }: Matrix): string {
  const columns = (outcome: MatrixRequirement['outcomes'][number]) =>
    implementations.map((_, index) => index).filter((index) => outcomes[index] === outcome);
  const name = (index: number) => html(clip((implementations[index] as MatrixColumn).name, 200));
  const entries = told.flatMap((outcome) =>
    columns(outcome).map(
      (index) =>
        `<div class="entry is-${outcome}" data-column="${index}"><h4><span class="service">${name(index)}</span> ${badge(outcome)}</h4>${seen(rows[index] as ReportRequirement)}</div>`,
    ),
  );
  const named = ([outcome, word]: readonly [MatrixRequirement['outcomes'][number], string]) => {
    const list = columns(outcome).map((index) => `<span data-column="${index}">${name(index)}</span>`);
    return list.length === 0 ? '' : `<p><b>${word}:</b> ${list.join(', ')}</p>`;
  };
  const others = (
    [
      ['pass', outcomeWords.pass],
      ['skipped', 'skipped'],
      [null, 'not judged'],
    ] as const
  ).map(named);
  const hint = outcomes.some((outcome) => outcome === 'fail' || outcome === 'warn' || outcome === 'known-failure')
    ? `<p class="muted">${html(rows.find((row) => row !== undefined)?.hint ?? '')}</p>`
    : '';
  return `<div class="detail row${differs ? ' differs' : ''}" id="${anchor(id)}" tabindex="-1" role="group" aria-labelledby="h-${html(id)}"><h3 id="h-${html(id)}"><span class="id">${html(id)}</span> <span class="level">${level}</span></h3><p>${html(clip(statement, 600))}</p>${hint}${entries.join('')}${others.join('')}</div>`;
}

function seen(row: ReportRequirement): string {
  const [first] = counterexamples(row);
  const reason = row.reason === undefined ? '' : `<p class="muted">${html(clip(row.reason, 1000))}</p>`;
  if (first === undefined) return reason;
  const found = foundWords(first);
  return `${found === undefined ? '' : `<p>${html(clip(found, 1000))}</p>`}${versus(first)}${reason}`;
}

/** Each open question with its answers, and beside each answer the services that gave it. */
export function answers({ observations, implementations }: Matrix): string {
  const items = observations.map(({ question, answers: given, differs }) => {
    const kinds = [...new Set(given)].map((answer) => {
      const names = implementations.filter((_, index) => given[index] === answer).map(({ name }) => clip(name, 200));
      return `<dd>${answer === null ? 'not observed' : html(clip(answer, 1000))} <span class="muted">${html(names.join(', '))}</span></dd>`;
    });
    return `<div class="row${differs ? ' differs' : ''}"><dt>${html(question)}</dt>${kinds.join('')}</div>`;
  });
  return `<dl class="answers">${items.join('')}</dl>`;
}
