/** @import { App } from '../base/app.js' */
import { byId, field } from '../base/dom.js';
import { complain, steer } from '../base/server.js';
import { durationWords, instantWords, readDuration } from '../base/time.js';

const allowed = '90 s, 1 h 30 min, PT1H and 2030-01-01T00:00Z';

/** The server's clock: what it says, and how far it is to move. @param {App} app */
export function makeClock(app) {
  const typed = field('move-by');
  const oldestMs = () => Math.min(...app.state.tokens.map(({ expiresAtMs }) => expiresAtMs));
  const leftMs = () => oldestMs() - app.now();
  /** @param {number} byMs */
  const move = (byMs) =>
    steer('clock-problem', `The clock moved on by ${durationWords(byMs)}.`, '/clock', 'POST', { advanceMs: Math.round(byMs) });
  const moves = { 'minute-on': () => 60_000, 'day-on': () => 86_400_000, 'near-end': () => leftMs() - 1000, 'to-end': leftMs };
  for (const [id, byMs] of Object.entries(moves)) byId(id).addEventListener('click', () => move(byMs()));
  byId('move').addEventListener('submit', (event) => {
    event.preventDefault();
    const byMs = readDuration(typed.value) ?? untilMs(typed.value, app.now());
    if (byMs !== undefined) move(byMs);
    else complain('clock-problem', `${JSON.stringify(typed.value)} is no duration and no later instant; ${allowed} are allowed.`);
  });

  const tick = () => {
    byId('clock-now').textContent = instantWords(app.now());
    byId('now').textContent = `${instantWords(app.now())} UTC${app.isManual ? ', standing still' : ''}`;
  };
  const draw = () => {
    byId('manual').hidden = !app.isManual;
    byId('system').hidden = app.isManual;
    const lives = Number.isFinite(oldestMs());
    field('near-end').disabled = !lives || leftMs() <= 1000;
    field('to-end').disabled = !lives || leftMs() <= 0;
    byId('oldest').textContent = lives ? `The oldest living token ends in ${durationWords(leftMs())}.` : 'No token lives.';
    tick();
  };
  app.on(['state'], draw);
  app.on(['tick'], tick);
  draw();
}

/** How far it is to an instant that is not over. @param {string} typed @param {number} nowMs */
function untilMs(typed, nowMs) {
  const atMs = /^\d{4}-\d\d-\d\d/.test(typed.trim()) ? Date.parse(typed.trim()) : Number.NaN;
  return atMs >= nowMs ? atMs - nowMs : undefined;
}
