import { allow, checkOptions, count, loadSpec, OptionError, spec as ownSpec, type Spec } from '../../spec/index.js';
import type { BaselineEntry } from '../options.js';
import { type HarFile, openHar } from '../recording/index.js';
import { baselineOf, InputFileError, jsonReport, parseReport, type Report } from '../report/index.js';
import { judgeAgain, type OwnRecording, type RecordedOptions } from './again.js';
import { judgeForeign } from './foreign.js';
import { survey } from './survey.js';

/** No service that speaks the protocol is in a recording. */
class NothingRecorded extends Error {
  override readonly name = 'NothingRecorded';
  readonly code = 'HYDRAUTH_NOTHING_RECORDED';
}

/** Those of `hydrauth judge`. */
export interface RecordingOptions {
  readonly files: readonly string[];
  readonly baseUrl?: string;
  readonly spec?: Spec | string;
  readonly baseline?: string | readonly BaselineEntry[];
  readonly strict?: boolean;
}

/** Judges what HAR files hold, without sending anything. */
export async function judgeRecordings(options: RecordingOptions): Promise<Report> {
  const { files, baseUrl, spec: given = ownSpec, baseline, strict = false } = options;
  checkOptions(options, {
    files: allow.listOf('a list of files', allow.text('a file')),
    baseUrl: ['an http or https URL', (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)],
    spec: allow.anything,
    baseline: allow.anything,
    strict: allow.trueOrFalse,
  });
  const spec = typeof given === 'string' ? loadSpec(given) : given;
  const settled: RecordedOptions = { spec, strict, ...(baseline === undefined ? {} : { baseline: baselineOf(baseline, spec.catalogue) }) };
  const opened = files.map(openHar);
  try {
    for (const { path, places, own } of opened) {
      const { recorded = 0 } = ownOf(own);
      if (places.length < recorded)
        throw new InputFileError(
          path,
          `ends in the middle, after ${count(places.length, 'entry', 'entries')} of ${recorded}. Give it whole`,
        );
    }
    const ofRun = opened.find(({ own }) => ownOf(own).check !== undefined || ownOf(own).client !== undefined);
    if (ofRun !== undefined && opened.length > 1)
      throw new OptionError('files', 'a recording of hydrauth check or check-client is judged by itself; give it without other files');
    if (ofRun !== undefined) return await asWritten(ofRun, settled);
    const base = baseUrl ?? ownOf(opened[0]?.own).baseUrl;
    const surveyed = survey(opened, spec.protocol, base !== undefined && URL.canParse(base) ? new URL(base) : undefined);
    const { baseUrl: found } = surveyed;
    if (found === undefined) throw new NothingRecorded(nothingWords(files, spec));
    return await judgeForeign({ ...surveyed, baseUrl: found }, settled);
  } finally {
    for (const har of opened) har.close();
  }
}

const ownOf = (own: unknown) => (own ?? {}) as Partial<OwnRecording>;

/** Anybody can write what a recording says of itself. What no report can be made of is not from hydrauth. */
async function asWritten(har: HarFile, options: RecordedOptions): Promise<Report> {
  try {
    const report = await judgeAgain(har, har.own as OwnRecording, options);
    parseReport(jsonReport(report), har.path);
    return report;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith('HYDRAUTH_') ? error : new InputFileError(har.path, `log._hydrauth is not as hydrauth writes it (${message})`);
  }
}

function nothingWords(files: readonly string[], { protocol: { headers } }: Spec): string {
  return `no verdict: no answer in ${files.join(', ')} has a nonce (${headers.nonce}), a token (${headers.token}) or a link to the API documentation, so no service of this protocol is in it. Give --base-url to judge one all the same.`;
}
