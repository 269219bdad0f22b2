/** @import { App } from '../base/app.js' */
/** @import { Exchange } from '../types.js' */
import { byId, el, say } from '../base/dom.js';
import { harText } from './har.js';
import { save } from './save.js';
import { sharedPage } from './share.js';

/**
 * Saves what the diagram shows: as an HTTP archive, or as a page that can be shared.
 *
 * @param {App} app
 * @param {() => readonly Exchange[]} shown
 */
export function makeSaveMenu(app, shown) {
  const menu = /** @type {HTMLDetailsElement} */ (byId('take'));
  /** @param {string} name @param {string} note @param {() => Promise<void> | void} work */
  const item = (name, note, work) =>
    el(
      'button',
      {
        type: 'button',
        click: async () => {
          menu.open = false;
          await work();
          say(`${name} was saved.`);
        },
      },
      name,
      el('small', {}, note),
    );
  menu.lastElementChild?.append(
    item('HTTP archive (HAR)', 'for browsers and proxies', () => save('hydrauth.har', 'application/json', harText(shown(), app.facts))),
    item('Page to share (HTML)', 'one file, with the reasons', async () =>
      save('hydrauth.html', 'text/html', await sharedPage(app, shown())),
    ),
  );
  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}
