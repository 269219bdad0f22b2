/** @typedef {{ element: HTMLElement, tick: () => void }} Ticking an element that follows the clock */
import { el } from '../base/dom.js';
import { durationWords } from '../base/time.js';

/**
 * The life of a token as a bar that runs on the server's clock. The style sheet draws it from how much of it is over.
 * @param {() => number} now @param {{ issuedAtMs: number, expiresAtMs: number, usedAtMs?: number }} life @returns {Ticking}
 */
export function drawTokenBar(now, { issuedAtMs, expiresAtMs, usedAtMs }) {
  const wholeMs = Math.max(1, expiresAtMs - issuedAtMs);
  /** @param {number} atMs */
  const part = (atMs) => `${(100 * Math.max(0, Math.min(1, (atMs - issuedAtMs) / wholeMs))).toFixed(1)}%`;
  const words = el('span');
  const age = el('span');
  const bar = el('div.bar');
  if (usedAtMs !== undefined && usedAtMs <= expiresAtMs) bar.style.setProperty('--used', part(usedAtMs));
  const element = el('div.life', el('p', age, words), bar);
  const tick = () => {
    const leftMs = expiresAtMs - now();
    element.classList.toggle('is-fail', leftMs <= 0);
    element.classList.toggle('is-warn', leftMs > 0 && leftMs < wholeMs / 9);
    bar.style.setProperty('--over', part(now()));
    age.textContent = `${durationWords(now() - issuedAtMs)} old`;
    words.textContent = leftMs > 0 ? `${durationWords(leftMs)} left` : leftMs === 0 ? 'ends now' : `ended ${durationWords(-leftMs)} ago`;
  };
  tick();
  return { element, tick };
}
