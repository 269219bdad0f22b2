import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ClockError, ForeignMove, type TargetClock, usual } from './clock.js';

const offsetText = /^([+-]\d+(?:\.\d+)?)([smhdy]?)$/;
const unitMs: Record<string, number> = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, y: 31_536_000_000 };

/** An unmodified server under libfaketime, which reads its offset from real time out of a file. */
export async function faketimeClock(file: string): Promise<TargetClock> {
  // Write it once before anybody relies on it: whether it can be written is known now and not after the first login.
  let offsetMs = await readOffset(file);
  await writeOffset(file, offsetMs);
  const read = async () => {
    const foundMs = await readOffset(file);
    if (foundMs !== offsetMs) throw new ForeignMove(`the file ${file} of faketime`, Date.now() + offsetMs, Date.now() + foundMs);
    return foundMs;
  };
  const advance = async (ms: number) => {
    const movedMs = (await read()) + ms;
    await writeOffset(file, movedMs);
    offsetMs = movedMs;
  };
  return { ...usual, seesItsMoves: false, description: 'libfaketime', advance, now: async () => Date.now() + (await read()) };
}

/** A file that is missing or empty leaves the time as it is. */
async function readOffset(file: string): Promise<number> {
  const read = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return '';
    throw new ClockError(`The file ${file} of faketime cannot be read (${code}).`);
  });
  const text = read.trim();
  const [, number = '', unit = ''] = offsetText.exec(text) ?? [];
  if (text !== '' && number === '')
    throw new ClockError(`The file ${file} of faketime holds ${JSON.stringify(text.slice(0, 40))}; an offset such as +0 is expected.`);
  return Math.round(Number(number) * (unitMs[unit] ?? 0));
}

/** Renamed into place, because half a number would end the process that reads it. */
async function writeOffset(file: string, ms: number): Promise<void> {
  const seconds = ms % 1000 === 0 ? String(ms / 1000) : (ms / 1000).toFixed(3);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${ms < 0 ? '' : '+'}${seconds}\n`);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new ClockError(`The file ${file} of faketime cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
