import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** What the figures were taken on, and how busy it was. */
export function describeMachine() {
  const [first] = cpus();
  return {
    cores: cpus().length,
    cpu: first?.model ?? 'unknown',
    memoryMb: Math.round(totalmem() / 2 ** 20),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    loadBefore: loadNow(),
    takenAt: new Date().toISOString(),
  };
}

/** Processes that want a core, over the last minute. */
export function loadNow(): number {
  return Math.round((loadavg()[0] as number) * 100) / 100;
}

interface CpuTime {
  readonly all: number;
  readonly stolen: number;
}

/** Since the machine began; undefined where nobody tells. */
export function cpuTime(): CpuTime | undefined {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] as string).split(/ +/);
    return { all: ticks.slice(0, 8).reduce((sum, each) => sum + Number(each), 0), stolen: Number(ticks[7]) };
  } catch {
    return undefined;
  }
}

/** The part of the processor's time that a host gave to other machines while this one wanted it, or idled. */
export function stolenBetween(before: CpuTime | undefined, after: CpuTime | undefined): number | undefined {
  if (before === undefined || after === undefined || after.all === before.all) return undefined;
  return Math.round(((after.stolen - before.stolen) / (after.all - before.all)) * 1000) / 1000;
}
