import type { Report } from '../../conformance/index.js';
import { needs } from '../../fixtures/test/needs.js';
import { packageFile } from '../../spec/index.js';
import { livePictures } from './live.js';
import { compared, reportOf, reportPictures } from './reports.js';
import { takePictures } from './take.js';

// Draws the live page, then judges the services one after the other and draws their reports, all into docs/images; with the word `live`, the live
// page alone. Nothing compares the pictures: fonts differ between machines.
const browser = needs('chromium');
if (browser.skip) {
  process.stderr.write('chromium is not installed; the pictures are drawn with it\n');
  process.exitCode = 2;
} else {
  await takePictures(livePictures, browser.path, packageFile('docs/images'));
  const reports: Report[] = [];
  for (const service of process.argv[2] === 'live' ? [] : compared) {
    reports.push(await reportOf(service));
    process.stdout.write(`${service.name}: ${reports.at(-1)?.verdict}\n`);
  }
  if (reports.length > 0) await takePictures(reportPictures(reports), browser.path, packageFile('docs/images'));
}
