import { el } from '../base/dom.js';

/**
 * Hands a text to the browser as a download.
 *
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Copies what a place shows.
 *
 * @param {HTMLElement} place
 * @returns {Promise<boolean>} whether it was; otherwise it is selected, to be copied by hand
 */
export async function copy(place) {
  try {
    await navigator.clipboard.writeText(place.textContent);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(place);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return document.execCommand('copy');
  }
}
