import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ClockError, checkAdvance, ForeignMove, type TargetClock } from './clock.js';

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
  return {
    canMove: true,
    isInstant: true,
    seesItsMoves: false,
    description: 'libfaketime',
    async advance(ms) {
      checkAdvance(ms);
      const movedMs = (await read()) + ms;
      await writeOffset(file, movedMs);
      offsetMs = movedMs;
    },
    now: async () => Date.now() + (await read()),
    close: async () => undefined,
  };
}

/** A file that is missing or empty leaves the time as it is. */
async function readOffset(file: string): Promise<number> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw new ClockError(`The file ${file} of faketime cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (text === '') return 0;
  const parts = offsetText.exec(text);
  if (parts === null) {
    throw new ClockError(`The file ${file} of faketime holds ${JSON.stringify(text.slice(0, 40))}; an offset such as +0 is expected.`);
  }
  return Math.round(Number(parts[1]) * (unitMs[parts[2] as string] as number));
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
