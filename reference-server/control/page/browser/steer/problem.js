import { el } from '../base/dom.js';

/** A place for what went wrong with the last thing that was asked for. */
export function problem() {
  const element = el('p', { class: 'problem is-fail', role: 'alert', hidden: true });
  /** @param {string} sentence */
  const show = (sentence) => {
    element.textContent = sentence;
    element.hidden = sentence === '';
  };
  return {
    element,
    show,
    /** @param {() => Promise<unknown>} work */
    async during(work) {
      show('');
      try {
        await work();
      } catch (error) {
        show(/** @type {Error} */ (error).message);
      }
    },
  };
}
