import type { Progress } from '../run/index.js';
import type { Io } from './io.js';

/** Where requests are held back, the end of the run is far off, and can be told. */
function paceWords({ perSecond, leftMs }: NonNullable<Progress['pace']>): string {
  const seconds = Math.ceil(leftMs / 1000);
  return `${Math.round(perSecond)}/s, about ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
}

/** One line that is written over while a run goes on, on a terminal only; a pipe stays quiet. */
export function progressLine(io: Pick<Io, 'err' | 'isTTY' | 'width'>): { show(progress: Progress): void; clear(): void } {
  if (!io.isTTY) return { show: () => {}, clear: () => {} };
  let shown = false;
  return {
    show({ done, total, what, pace }) {
      const wide = Math.max(8, Math.min(30, io.width - 50));
      const filled = Math.round((done / Math.max(1, total)) * wide);
      const line = `${'#'.repeat(filled)}${'.'.repeat(wide - filled)} ${done}/${total} ${pace === undefined ? '' : `${paceWords(pace)}, `}${what}`;
      io.err(`\r\u001b[2K${line.slice(0, io.width - 1)}`);
      shown = true;
    },
    clear() {
      if (shown) io.err('\r\u001b[2K');
    },
  };
}
