import { keepNewman } from '../postman/index.js';
import type { FromJudge, ToJudge } from './apart.js';
import { judgeService } from './judge.js';

/** Judges one service after another, as it is told. */
let interruption = new AbortController();
/** Nobody hears it where whoever started this one is gone. */
const tell = (what: FromJudge) => process.send?.(what, () => {});

keepNewman();
process.on('message', (told: ToJudge) => {
  if ('abort' in told) return interruption.abort(told.abort ?? undefined);
  interruption = new AbortController();
  const judging = judgeService(told.service, told.place, {
    signal: interruption.signal,
    onProgress: (progress) => void tell({ progress }),
  });
  void judging.then((report) => tell({ report }));
});
process.on('disconnect', () => process.exit());
// A terminal interrupts all processes of a call; whoever started this one says what is to be done.
for (const by of ['SIGINT', 'SIGTERM'] as const) process.on(by, () => {});
