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
