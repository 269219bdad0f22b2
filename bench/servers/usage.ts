/** What a server process has used up, asked from outside. */
export interface Usage {
  readonly cpuMs: number;
  readonly residentMb: number;
  readonly heapMb: number;
}

export function usage(): Usage {
  global.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, residentMb: rss / 2 ** 20, heapMb: (heapUsed + external) / 2 ** 20 };
}
