import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOf, files, InputError } from './call.mjs';

const callIsWrong = 2;
const noVerdict = 3;

const { env } = process;
const reports = mkdtempSync(join(env['RUNNER_TEMP'] || tmpdir(), 'hydrauth-report-'));
const code = await check();
output('exit-code', String(code));
output('reports', reports);
annotate();
summarise(code);
process.exitCode = code;

/** Runs hydrauth and gives its exit code. */
async function check() {
  let call;
  try {
    call = callOf(env, reports);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Where GitHub reads commands in the output: a line end in an input must not begin another one.
    console.log(`::error title=hydrauth::${commandText(error.message)}`);
    return callIsWrong;
  }
  const [program, ...args] = call;
  // The report quotes what the target sent, and that must not be read as a command.
  const resume = randomUUID();
  console.log(`::stop-commands::${resume}`);
  const status = await started(program, args);
  console.log(`::${resume}::`);
  return status;
}

function started(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environment() });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      resolve(noVerdict);
    });
    child.once('close', (status, signal) => resolve(status ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** The users under the name that hydrauth reads them by, and none of the inputs. */
function environment() {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('HYDRAUTH_ACTION_'));
  return { ...Object.fromEntries(others), HYDRAUTH_USERS: env['HYDRAUTH_ACTION_USERS'] ?? '' };
}

function output(name, value) {
  if (!env['GITHUB_OUTPUT']) return;
  const end = randomUUID();
  appendFileSync(env['GITHUB_OUTPUT'], `${name}<<${end}\n${value}\n${end}\n`);
}

/** What was found, where GitHub shows it beside the run: failures as errors, warnings as such. GitHub shows ten of each. */
function annotate() {
  const file = join(reports, files.json);
  if (!existsSync(file)) return;
  const { error, staleBaseline = [], requirements } = JSON.parse(readFileSync(file, 'utf8'));
  if (error) console.log(`::error title=hydrauth::${commandText(error)}`);
  for (const id of staleBaseline)
    console.log(
      `::error title=hydrauth ${id},file=${property(env['HYDRAUTH_ACTION_BASELINE'])}::It passes now. Remove its entry from the baseline.`,
    );
  for (const { id, outcome, statement, checks } of requirements) {
    const kind = outcome === 'fail' ? 'error' : outcome === 'warn' ? 'warning' : undefined;
    if (kind === undefined) continue;
    const { expected, actual } = checks.find((check) => check.outcome === 'fail') ?? {};
    const found = expected && actual ? `\nExpected: ${expected}\nActual: ${actual}` : '';
    console.log(`::${kind} title=hydrauth ${id}::${commandText(`${statement}${found}`)}`);
  }
}

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

function commandText(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
