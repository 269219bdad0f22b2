/** @import { App } from '../base/app.js' */
import { call } from '../base/api.js';
import { byId, el, say } from '../base/dom.js';
import { durationWords, readDuration } from '../base/duration.js';
import { instantWords } from '../base/words.js';
import { problem } from './problem.js';

const allowed = '90 s, 1 h 30 min, PT1H and 2030-01-01T00:00Z';

/**
 * The server's clock: what it says, and how far it is to move.
 *
 * @param {App} app
 */
export function makeClock(app) {
  const now = el('p', { class: 'big mono' });
  const trouble = problem();
  const typed = el('input', {
    id: 'move-by',
    type: 'text',
    autocomplete: 'off',
    placeholder: '90 s, 1 h 30 min, PT1H',
  });
  const oldest = () =>
    app.state?.tokens.reduce((least, { expiresAtMs }) => Math.min(least, expiresAtMs), Number.POSITIVE_INFINITY) ??
    Number.POSITIVE_INFINITY;

  /** @param {number} advanceMs */
  const move = (advanceMs) =>
    trouble.during(async () => {
      await call('/clock', 'POST', { advanceMs: Math.round(advanceMs) });
      say(`The clock moved on by ${durationWords(advanceMs)}.`);
    });
  /** @param {string} text @param {() => number} byMs */
  const button = (text, byMs) => el('button', { type: 'button', click: () => move(byMs()) }, text);
  const toEnd = [button('1 s before its end', () => oldest() - app.now() - 1000), button('To its end', () => oldest() - app.now())];
  const plain = [button('+1 min', () => 60_000), button('+1 day', () => 86_400_000)];
  const help = el('p', { class: 'muted small' });
  const buttons = el('div', { class: 'buttons' }, ...plain, help, ...toEnd);
  const form = el(
    'form',
    {
      class: 'line',
      /** @param {SubmitEvent} event */
      submit: (event) => {
        event.preventDefault();
        const byMs = readMove(typed.value, app.now());
        if (byMs !== undefined) move(byMs);
        else trouble.show(`${JSON.stringify(typed.value)} is no duration and no later instant; ${allowed} are allowed.`);
      },
    },
    el('label', { class: 'unseen', for: 'move-by' }, 'Move by or to'),
    typed,
    el('button', {}, 'Move'),
  );
  const fixed = el(
    'p',
    { class: 'muted' },
    "It is the system's clock. Start the server with ",
    el('code', {}, '--clock manual'),
    ' to move it.',
  );

  const tick = () => {
    const text = instantWords(app.now());
    now.textContent = text;
    byId('now').textContent = `${text} UTC`;
  };
  const draw = () => {
    const manual = app.state?.clock === 'manual';
    for (const part of [buttons, form]) part.hidden = !manual;
    fixed.hidden = manual;
    const leftMs = oldest() - app.now();
    for (const [index, each] of toEnd.entries()) each.disabled = !Number.isFinite(leftMs) || leftMs <= (index === 0 ? 1000 : 0);
    help.textContent = Number.isFinite(leftMs) ? `The oldest living token ends in ${durationWords(leftMs)}.` : 'No token lives.';
    tick();
  };
  app.on('state', draw);
  setInterval(tick, 250);
  draw();
  return el('section', { class: 'part' }, el('h2', {}, 'Clock'), now, buttons, form, fixed, trouble.element);
}

/**
 * How far the clock is to move: a duration, or up to an instant.
 *
 * @param {string} typed
 * @param {number} nowMs
 */
function readMove(typed, nowMs) {
  const byMs = readDuration(typed);
  if (byMs !== undefined) return byMs;
  const atMs = /^\d{4}-\d\d-\d\d/.test(typed.trim()) ? Date.parse(typed.trim()) : Number.NaN;
  return atMs >= nowMs ? atMs - nowMs : undefined;
}
