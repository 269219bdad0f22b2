import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compareReports, htmlReport, matrixHtml } from '../../../conformance/report/index.js';
import { cleanReport, failingReport } from '../../../conformance/report/test/samples.js';
import { faults, variants } from '../../../fixtures/index.js';
import { needs } from '../../../fixtures/test/needs.js';
import { packageFile } from '../../../spec/index.js';
import { livePictureFiles, takeLivePictures } from '../live.js';
import { pictureFiles, takePictures } from '../pictures.js';
import { compared } from '../services.js';

const program = needs('chromium');
const images = packageFile('docs/images');
const allFiles = [...pictureFiles, ...livePictureFiles];
const pages = ['README.md', ...readdirSync(packageFile('docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

test('every picture is drawn by the script and shown on a page', () => {
  const linked = pages.flatMap((page) =>
    [...readFileSync(packageFile(page), 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+\.png)\)/g)].map(([, link]) =>
      join(dirname(page), link as string),
    ),
  );
  const drawn = allFiles.map((file) => `docs/images/${file}`);
  expect([...new Set(linked)].sort()).toEqual([...drawn].sort());
  expect(
    readdirSync(images)
      .filter((name) => name.endsWith('.png'))
      .sort(),
  ).toEqual([...allFiles].sort());
});

test('the services that are judged for the pictures can be made', () => {
  const known = new Set([...faults, ...variants].map(({ id }) => id));
  expect(compared.flatMap((service) => [...service.faults, ...(service.variants ?? [])]).filter((id) => !known.has(id))).toEqual([]);
});

test.skipIf(program.skip)(`the pictures have the sizes of a desk and of a phone${program.note}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hydrauth-'));
  const matrix = compareReports([cleanReport, failingReport].map((report, index) => ({ name: `service ${index}`, report: report() })));
  try {
    await takePictures({ report: htmlReport(failingReport()), matrix: matrixHtml(matrix) }, program.path, folder, folder);
    await takeLivePictures(program.path, folder);
    const sizes = allFiles.map((file) => {
      const octets = readFileSync(join(folder, file));
      return [file, octets.readUInt32BE(16), octets.readUInt32BE(20)];
    });
    expect(sizes).toEqual([
      ['report.png', 1440, 900],
      ['report-phone.png', 400, 800],
      ['matrix.png', 1440, 900],
      ['matrix-panel.png', 1440, 900],
      ['matrix-phone.png', 400, 800],
      ['live.png', 1440, 900],
      ['live-try.png', 1440, 900],
      ['live-phone.png', 400, 800],
      ['live-phone-why.png', 400, 800],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
