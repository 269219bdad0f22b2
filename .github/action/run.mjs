import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOf, files, InputError } from './call.mjs';

const callIsWrong = 2;
const noVerdict = 3;
/** GitHub drops further annotations of a step. */
const mostAnnotations = 10;

const { env } = process;
const newFolder = (name) => mkdtempSync(join(env['RUNNER_TEMP'] || tmpdir(), name));
const reports = newFolder('hydrauth-report-');
const code = await check();
output('exit-code', String(code));
output('reports', reports);
annotate();
summarise(code);
process.exitCode = code;

/** Runs hydrauth and gives its exit code. */
async function check() {
  let calls;
  try {
    calls = callOf(env, reports, newFolder('hydrauth-install-'));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Where GitHub reads commands in the output: a line end in an input must not begin another one.
    console.log(`::error title=hydrauth::${commandText(error.message)}`);
    return callIsWrong;
  }
  const { install, call } = calls;
  // The report quotes what the target sent, and that must not be read as a command.
  const resume = randomUUID();
  console.log(`::stop-commands::${resume}`);
  const isInstalled = install === undefined || (await started(install, '')) === 0;
  const status = isInstalled ? await started(call, env['HYDRAUTH_ACTION_USERS'] || (env['HYDRAUTH_USERS'] ?? '')) : noVerdict;
  console.log(`::${resume}::`);
  return status;
}

function started([program, ...args], users) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environment(users) });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      resolve(noVerdict);
    });
    child.once('close', (status, signal) => resolve(status ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** The users under the name that hydrauth reads them by, and none of the inputs. */
function environment(users) {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('HYDRAUTH_ACTION_'));
  return { ...Object.fromEntries(others), HYDRAUTH_USERS: users };
}

function output(name, value) {
  if (!env['GITHUB_OUTPUT']) return;
  const end = randomUUID();
  appendFileSync(env['GITHUB_OUTPUT'], `${name}<<${end}\n${value}\n${end}\n`);
}

/** What was found, where GitHub shows it beside the run: failures as errors, warnings as such, the worst first. */
function annotate() {
  const file = join(reports, files.json);
  if (!existsSync(file)) return;
  const { error, cases, staleBaseline = [], requirements } = JSON.parse(readFileSync(file, 'utf8'));
  const stale = `,file=${property(env['HYDRAUTH_ACTION_BASELINE'] ?? '')}::It passes now. Remove its entry from the baseline.`;
  const found = requirements
    .filter(({ outcome }) => ['fail', 'warn', 'flaky'].includes(outcome))
    .sort((one, other) => severity(other) - severity(one));
  const all = [
    ...(error ? [`::error title=hydrauth::${commandText(error)}`] : []),
    ...staleBaseline.map((id) => `::error title=hydrauth ${property(id)}${stale}`),
    ...(cases?.leftOut ? [`::warning title=hydrauth::${leftOutWords(cases)}`] : []),
    ...found.map(annotation),
  ];
  const shown = all.length > mostAnnotations ? all.slice(0, mostAnnotations - 1) : all;
  const more = all.length - shown.length;
  for (const line of shown) console.log(line);
  if (more > 0) console.log(`::warning title=hydrauth::${more} more: see the summary of the job, or the reports.`);
}

function leftOutWords({ leftOut, planned }) {
  return `The verdict is about the cases that were tried: the budget left out ${leftOut.toLocaleString('en')} of ${planned.toLocaleString('en')}.`;
}

/** A failure before a warning, then a token that was given wrongly, then a resource. */
function severity({ outcome, checks }) {
  const given = checks.map((check) => ({ token: 2, resource: 1 })[check.given] ?? 0);
  return (outcome === 'fail' ? 3 : 0) + Math.max(0, ...given);
}

function annotation({ id, outcome, statement, checks }) {
  const { expected, actual } = checks.find((check) => check.outcome === 'fail' || check.outcome === 'flaky') ?? {};
  const seen = expected && actual ? `\nExpected: ${expected}\nActual: ${actual}` : '';
  return `::${outcome === 'fail' ? 'error' : 'warning'} title=hydrauth ${property(id)}::${commandText(`${statement}${seen}`)}`;
}

/** GitHub drops a summary above 1,024 KiB; the Markdown report stays far below. */
function summarise(exitCode) {
  if (!env['GITHUB_STEP_SUMMARY']) return;
  const report = join(reports, files.markdown);
  const text = existsSync(report)
    ? readFileSync(report, 'utf8')
    : `**hydrauth** gave no report and ended with exit code ${exitCode}. The log of the step says why.\n`;
  appendFileSync(env['GITHUB_STEP_SUMMARY'], text);
}

function property(text) {
  return commandText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** On one line, and without what steers a terminal or reorders text: the target may have sent it. */
function commandText(text) {
  const coded = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return coded.replace(/[\p{Control}\p{Default_Ignorable_Code_Point}]/gu, (each) => `\\u{${each.codePointAt(0).toString(16)}}`);
}
