import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanReport, failingReport } from '../../../conformance/report/test/samples.js';
import { faults, variants } from '../../../fixtures/index.js';
import { needs } from '../../../fixtures/test/needs.js';
import { packageFile } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { livePictures } from '../live.js';
import { compared, reportPictures } from '../reports.js';
import { takePictures } from '../take.js';

const program = needs('chromium');
const images = packageFile('docs/images');
const pictures = [...reportPictures([cleanReport(), failingReport()]), ...livePictures];
const allFiles = pictures.map(({ name }) => `${name}.png`);
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
  const folder = scratch();
  await takePictures(pictures, program.path, folder);
  for (const { name, width, height } of pictures) {
    const octets = readFileSync(join(folder, `${name}.png`));
    expect([name, octets.readUInt32BE(16), octets.readUInt32BE(20)]).toEqual([name, width, height]);
  }
});
