import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareReports, htmlReport, matrixHtml, type NamedReport } from '../../conformance/report/index.js';
import { needs } from '../../fixtures/test/needs.js';
import { packageFile } from '../../spec/index.js';
import { takeLivePictures } from './live.js';
import { takePictures } from './pictures.js';
import { reportOf } from './report-of.js';
import { compared, reported } from './services.js';

// Draws the live page, then judges the services one after the other and draws their reports, all into docs/images; with the word `live`, the live
// page alone. Nothing compares the pictures: fonts differ between machines.
const browser = needs('chromium');
if (browser.skip) {
  process.stderr.write('chromium is not installed; the pictures are drawn with it\n');
  process.exitCode = 2;
} else {
  await takeLivePictures(browser.path, packageFile('docs/images'));
  if (process.argv[2] !== 'live') await drawReports();
}

async function drawReports(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'hydrauth-'));
  try {
    const reports: NamedReport[] = [];
    for (const service of compared) {
      reports.push({ name: service.name, report: await reportOf(service) });
      process.stdout.write(`${service.name}: ${reports.at(-1)?.report.verdict}\n`);
    }
    const report = reports.find(({ name }) => name === reported.name) as NamedReport;
    const pages = { report: htmlReport(report.report), matrix: matrixHtml(compareReports(reports)) };
    await takePictures(pages, browser.path, work, packageFile('docs/images'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
