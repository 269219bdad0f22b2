import { type Report, runConformance } from '../../conformance/index.js';
import { compareReports, htmlReport, matrixHtml } from '../../conformance/report/index.js';
import { startReferenceServer } from '../../fixtures/reference-server.js';
import { defaultUsers } from '../../reference-server/index.js';
import { desk, type Picture, phone } from './take.js';

/** A service to judge: the reference server with faults and variants, by their ids. */
interface Service {
  readonly name: string;
  readonly faults: readonly string[];
  readonly variants?: readonly string[];
}

/** Three MUSTs and two SHOULDs are violated: the pictures of a report. */
const reported: Service = {
  name: 'several',
  faults: ['realm-in-other-case', 'token-base64', 'sliding', 'date-iso', 'id-trimmed'],
};

/** Twelve services for the pictures of a comparison. */
export const compared: readonly Service[] = [
  { name: 'reference', faults: [] },
  reported,
  { name: 'json', faults: ['content-type-json-on-challenge', 'allow-origin-only-when-asked', 'fails-on-broken-base64'] },
  { name: 'head', faults: ['token-refused-with-head'] },
  { name: 'debug', faults: ['query-opens', 'options-serves'] },
  { name: 'constant', faults: ['nonce-constant'] },
  { name: 'once', faults: ['token-once'], variants: ['wrong-credentials-403'] },
  { name: 'paged', faults: [], variants: ['paged', 'nonce-reusable'] },
  { name: 'delete', faults: ['delete-open', 'date-missing'] },
  { name: 'hour', faults: ['expires-a-third-late'] },
  { name: 'capitals', faults: ['id-read-loosely'], variants: ['token-in-capitals'] },
  { name: 'forbidden', faults: ['challenge-403', 'body-of-html'] },
];

/** The report of a real run against the service. */
export async function reportOf({ faults, variants = [] }: Service): Promise<Report> {
  await using server = await startReferenceServer({ clock: 'manual', faults, variants });
  return await runConformance({
    baseUrl: server.url,
    collections: server.collections,
    users: defaultUsers.map(({ id, paraphrase }) => ({ id: String(id), paraphrase })),
    clock: server.clockUrl ?? 'none',
    seed: 1,
  });
}

/** The pictures of the report of the second service, and of the comparison of all. */
export function reportPictures(reports: readonly Report[]): readonly Picture[] {
  const named = reports.map((report, index) => ({ name: compared[index]?.name ?? '', report }));
  const pages = { report: () => htmlReport(reports[1] as Report), matrix: () => matrixHtml(compareReports(named)) };
  const show =
    (which: keyof typeof pages, click?: string): Picture['show'] =>
    async (page) => {
      await page.setContent(pages[which]());
      if (click !== undefined) await page.locator(click).first().click();
    };
  return [
    { name: 'report', ...desk, colorScheme: 'light', show: show('report') },
    { name: 'report-phone', ...phone, colorScheme: 'dark', show: show('report') },
    { name: 'matrix', ...desk, colorScheme: 'light', show: show('matrix') },
    { name: 'matrix-panel', ...desk, colorScheme: 'dark', show: show('matrix', 'td.is-fail') },
    { name: 'matrix-phone', ...phone, colorScheme: 'light', show: show('matrix') },
  ];
}
