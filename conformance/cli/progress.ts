import type { Progress } from '../run/index.js';
import type { Io } from './io.js';

const everyMs = 500;
/** After so long, and so much of the work, the time that the rest takes can be told. */
const enoughMs = 2000;
const enoughDone = 0.1;

/** One line that is written over while a run goes on, on a terminal only; a pipe stays quiet. It is there at once, and says what is being tried. */
export function progressLine(
  io: Pick<Io, 'err' | 'isTTY' | 'width'>,
  begins = 'connecting',
  now = () => performance.now(),
): { show(progress: Progress): void; clear(): void } {
  if (!io.isTTY) return { show: () => {}, clear: () => {} };
  const startedMs = now();
  let last: Progress = { done: 0, total: 0, what: begins };
  const draw = () => {
    const { done, total, what, pace, share = done / Math.max(1, total) } = last;
    const wide = Math.max(8, Math.min(30, io.width - 50));
    const filled = Math.round(share * wide);
    const tookMs = now() - startedMs;
    const words = [...(pace === undefined ? [] : [`${Math.round(pace.perSecond)}/s`]), ...leftWords(last, share, tookMs), what];
    const line = `${'#'.repeat(filled)}${'.'.repeat(wide - filled)} ${total === 0 ? '' : `${done}/${total} `}${timeWords(tookMs)}, ${words.join(', ')}`;
    io.err(`\r\u001b[2K${line.slice(0, io.width - 1)}`);
  };
  draw();
  const timer = setInterval(draw, everyMs);
  timer.unref();
  return {
    show(progress) {
      if (progress.found !== undefined) io.err(`\r\u001b[2K${progress.found}\n`);
      last = progress;
      draw();
    },
    clear() {
      clearInterval(timer);
      io.err('\r\u001b[2K');
    },
  };
}

/** Where requests are held back the run knows how long the rest takes; elsewhere it is told from what is done. */
function leftWords({ pace }: Progress, share: number, tookMs: number): string[] {
  if (pace !== undefined) return [`about ${timeWords(pace.leftMs)} left`];
  if (tookMs < enoughMs || share < enoughDone) return [];
  return [`about ${timeWords(tookMs / share - tookMs)} left`];
}

function timeWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
