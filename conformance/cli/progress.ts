import type { Progress } from '../run/index.js';
import type { Io } from './io.js';

/** One line that is written over while a run goes on, on a terminal only; a pipe stays quiet. */
export function progressLine(io: Pick<Io, 'err' | 'isTTY' | 'width'>): { show(progress: Progress): void; clear(): void } {
  if (!io.isTTY) return { show: () => {}, clear: () => {} };
  let shown = false;
  return {
    show({ done, total, what }) {
      const wide = Math.max(8, Math.min(30, io.width - 50));
      const filled = Math.round((done / Math.max(1, total)) * wide);
      const line = `${'#'.repeat(filled)}${'.'.repeat(wide - filled)} ${done}/${total} ${what}`;
      io.err(`\r\u001b[2K${line.slice(0, io.width - 1)}`);
      shown = true;
    },
    clear() {
      if (shown) io.err('\r\u001b[2K');
    },
  };
}
