import { el } from '../base/dom.js';
import { durationWords } from '../base/duration.js';

const svg = 'http://www.w3.org/2000/svg';
/** The width of the drawing, which the style sheet stretches. */
const width = 1000;

/**
 * The life of a token as a bar that runs on the server's clock.
 *
 * @param {() => number} now
 * @param {{ issuedAtMs: number, expiresAtMs: number, usedAtMs?: number }} life
 * @returns {{ element: HTMLElement, tick: () => void }}
 */
export function drawTokenBar(now, { issuedAtMs, expiresAtMs, usedAtMs }) {
  const wholeMs = Math.max(1, expiresAtMs - issuedAtMs);
  /** @param {number} atMs */
  const x = (atMs) => Math.round(Math.max(0, Math.min(1, (atMs - issuedAtMs) / wholeMs)) * width);
  const words = el('span', {});
  const age = el('span', {});
  const drawing = shape('svg', { class: 'bar', viewBox: `0 0 ${width} 6`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const left = shape('rect', { class: 'left', y: 0, height: 6 });
  drawing.append(shape('rect', { class: 'whole', width, height: 6 }), left);
  if (usedAtMs !== undefined && usedAtMs <= expiresAtMs)
    drawing.append(shape('rect', { class: 'used', x: Math.max(0, x(usedAtMs) - 5), width: 5, height: 6 }));
  const element = el('div', { class: 'life' }, el('p', {}, age, words), drawing);
  const tick = () => {
    const leftMs = expiresAtMs - now();
    element.classList.toggle('is-fail', leftMs <= 0);
    element.classList.toggle('is-warn', leftMs > 0 && leftMs < wholeMs / 9);
    left.setAttribute('x', String(x(now())));
    left.setAttribute('width', String(width - x(now())));
    age.textContent = `${durationWords(now() - issuedAtMs)} old`;
    words.textContent = leftMs > 0 ? `${durationWords(leftMs)} left` : leftMs === 0 ? 'ends now' : `ended ${durationWords(-leftMs)} ago`;
  };
  tick();
  return { element, tick };
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
  const element = document.createElementNS(svg, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}
