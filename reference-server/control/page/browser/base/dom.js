/** @import { Attributes } from '../types.js' */

/**
 * An element, its classes behind its name: `el('p.muted.small', { title }, 'words', child)`.
 * @param {string} tag
 * @param {...(Attributes | Node | string | undefined)} content
 */
export function el(tag, ...content) {
  const [name = '', ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const each of content) {
    if (typeof each === 'string' || each instanceof Node) element.append(each);
    else
      for (const [attribute, value] of Object.entries(each ?? {})) {
        if (typeof value === 'function') element.addEventListener(attribute, value);
        else if (value !== undefined && value !== false) element.setAttribute(attribute, value === true ? '' : String(value));
      }
  }
  return element;
}

/** @param {string} text @param {string} label what is read aloud @param {() => unknown} click */
export function button(text, label, click) {
  return el('button', { type: 'button', 'aria-label': label === text ? undefined : label, click }, text);
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

/** @param {string} id */
export function field(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/** Says something to those who cannot see it change. @param {string} sentence */
export function say(sentence) {
  byId('said').textContent = sentence;
}
