/** @import { App } from '../base/app.js' */
import { byId, el, field } from '../base/dom.js';

/** @typedef {{ nonce?: string, token?: string }} Given by an answer */

/** The three steps by hand, for people who meet the protocol for the first time. The requests go to the reference server itself. @param {App} app */
export function makeTryIt(app) {
  const { url, collections, protocol } = app.facts;
  const { headers, scheme } = protocol;
  const [collection, user, secret] = [field('try-collection'), field('try-user'), field('try-paraphrase')];
  collection.append(...collections.map((name) => el('option', name)));
  user.value = String(app.state.users[0] ?? 1);
  /** @type {Given} */
  const got = {};
  const login = () => `${scheme} ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user.value}:${secret.value}`)))}`;
  const short = (/** @type {string} */ token) => `${token.slice(0, 4)}…`;
  /** Of each step the lines that are sent, those that are shown, and what is said of the answer. Lines without a value are missing yet. */
  const steps = {
    A: { sent: () => [], shown: () => [], says: (/** @type {Given} */ { nonce }) => (nonce ? `a nonce came: ${nonce}` : 'no nonce came') },
    B: {
      sent: () => [
        [headers.nonce, got.nonce],
        [headers.authorization, login()],
      ],
      shown: () => [
        [headers.nonce, got.nonce ?? '<the nonce of step A>'],
        [headers.authorization, `${scheme} base64(${user.value}:••••••••)`],
      ],
      says: (/** @type {Given} */ { nonce, token }) => {
        if (token !== undefined) return `a token came: ${short(token)}`;
        return nonce === undefined ? 'no token came' : 'no token came, but a new nonce: try again';
      },
    },
    C: {
      sent: () => [[headers.token, got.token]],
      shown: () => [[headers.token, got.token === undefined ? '<the token of step B>' : short(got.token)]],
      says: (/** @type {Given} */ _, /** @type {boolean} */ ok) => (ok ? 'the collection was served' : 'the token is not good any more'),
    },
  };
  const address = () => new URL(`${url}/${encodeURIComponent(collection.value)}`);
  const draw = () => {
    for (const [sign, { sent, shown }] of Object.entries(steps)) {
      const lines = shown().map(([name, value]) => `${name}: ${value}`);
      byId(`request-${sign}`).textContent = [`GET ${address().pathname}`, `Host: ${address().host}`, ...lines].join('\n');
      field(`send-${sign}`).disabled = sent().some(([, value]) => value === undefined);
    }
  };
  for (const [sign, { sent, says }] of Object.entries(steps))
    byId(`step-${sign}`).addEventListener('submit', async (event) => {
      event.preventDefault();
      const output = byId(`came-${sign}`);
      try {
        const lines = /** @type {[string, string][]} */ (sent());
        const answer = await fetch(address(), { headers: lines, credentials: 'omit', cache: 'no-store' });
        const [nonce, token] = [headers.nonce, headers.token].map((name) => answer.headers.get(name));
        const given = { ...(nonce ? { nonce } : {}), ...(token ? { token } : {}) };
        Object.assign(got, given);
        output.className = answer.ok ? 'is-pass' : 'is-warn';
        output.textContent = `${answer.status}: ${says(given, answer.ok)}`;
      } catch {
        output.className = 'is-fail';
        output.textContent = 'The service did not answer.';
      }
      draw();
    });
  for (const input of [collection, user, secret]) input.addEventListener('input', draw);
  draw();
}
