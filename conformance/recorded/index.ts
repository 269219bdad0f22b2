import { allow, checkOptions, isUrl, loadSpec, OptionError, type OptionsOf, spec as ownSpec, type Spec } from '../../spec/index.js';
import type { BaselineEntry } from '../options.js';
import { openHar } from '../recording/index.js';
import { baselineOf, InputFileError, jsonReport, parseReport, type Report } from '../report/index.js';
import { judgeAgain } from './again.js';
import { judgeForeign } from './foreign.js';
import { survey } from './survey.js';

const checks = {
  files: allow.listOf('a list of files', allow.text('a file')),
  baseUrl: allow.what<string>('an http or https URL', (value) => isUrl(value, /^https?:\/\//i)),
  spec: allow.anything<Spec | string>(),
  baseline: allow.anything<string | readonly BaselineEntry[]>(),
  strict: allow.trueOrFalse,
  /** Aborted, it rejects with the reason. */
  signal: allow.anything<AbortSignal>(),
};

/** Those of `hydrauth judge`. */
export type RecordingOptions = OptionsOf<typeof checks, 'files'>;

/** Judges what HAR files hold, without sending anything. */
export async function judgeRecordings(options: RecordingOptions): Promise<Report> {
  const { files, baseUrl, spec: given = ownSpec, baseline, strict = false, signal } = options;
  checkOptions(options, checks);
  const spec = typeof given === 'string' ? loadSpec(given) : given;
  const opened = files.map(openHar);
  try {
    const ofRun = opened.find(({ own = {} }) => 'check' in own || 'client' in own);
    if (ofRun !== undefined && opened.length > 1)
      throw new OptionError('files', 'a recording of hydrauth check or check-client is judged by itself; give it without other files');
    const base = baseUrl ?? opened[0]?.own?.baseUrl;
    const at = base !== undefined && URL.canParse(base) ? Object.assign(new URL(base), { username: '', password: '' }) : undefined;
    const surveyed = await survey(opened, spec.protocol, at, ofRun !== undefined, signal);
    const changed = opened.filter(({ isChanged }) => isChanged);
    const remarks = changed.map(
      ({ path }) =>
        `${path} was changed after hydrauth wrote it, so nothing is taken over from its run. It is judged like a file of another tool.`,
    );
    const settled = { spec, strict, remarks, ...(baseline === undefined ? {} : { baseline: baselineOf(baseline, spec.catalogue) }) };
    if (ofRun !== undefined) return await asWritten(ofRun.path, judgeAgain(ofRun, surveyed, settled));
    if (surveyed.baseUrl === undefined)
      throw Object.assign(new Error([nothingWords(files, spec), ...surveyed.remarks].join(' ')), { code: 'HYDRAUTH_NOTHING_RECORDED' });
    return await judgeForeign(surveyed, surveyed.baseUrl, settled);
  } finally {
    for (const har of opened) har.close();
  }
}

/** What no report can be made of was not written by this version of hydrauth, or by none. */
async function asWritten(path: string, judging: Promise<Report>): Promise<Report> {
  try {
    const report = await judging;
    parseReport(jsonReport(report), path);
    return report;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith('HYDRAUTH_') ? error : new InputFileError(path, `log._hydrauth is not as hydrauth writes it (${message})`);
  }
}

function nothingWords(files: readonly string[], { protocol: { headers } }: Spec): string {
  return `no verdict: no answer that can be read in ${files.join(', ')} has a nonce (${headers.nonce}), a token (${headers.token}) or a link to the API documentation, so no service of this protocol is in it. Give --base-url to judge one all the same.`;
}
