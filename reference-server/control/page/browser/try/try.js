/** @import { App } from '../base/app.js' */
import { el } from '../base/dom.js';
import { drawStep } from './step.js';

const masked = '••••••••';

/**
 * The three steps by hand, for people who meet the protocol for the first time. The requests go to the reference server itself.
 *
 * @param {App} app
 */
export function makeTryIt(app) {
  const { url, collections, protocol } = app.facts;
  const { headers, scheme } = protocol;
  const collection = el('select', { id: 'try-collection' }, ...collections.map((name) => el('option', {}, name)));
  const user = el('input', {
    id: 'try-user',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: String(app.state?.users[0] ?? 1),
  });
  const secret = el('input', { id: 'try-paraphrase', type: 'password', autocomplete: 'off' });
  const address = () => `${url}/${encodeURIComponent(collection.value)}`;
  /** @type {{ nonce?: string, token?: string }} */
  const got = {};

  const challenge = drawStep({
    sign: 'A',
    tone: 'plain',
    title: 'Ask without credentials',
    text: 'The service refuses and hands out a nonce.',
    address,
    shown: () => ({}),
    sent: () => ({}),
    taken: (answer) => {
      const nonce = answer.headers.get(headers.nonce) ?? undefined;
      if (nonce !== undefined) got.nonce = nonce;
      return nonce === undefined ? 'no nonce came' : `a nonce came: ${nonce}`;
    },
    changed: () => draw(),
  });
  const exchange = drawStep({
    sign: 'B',
    tone: 'login',
    title: 'Send the nonce with your credentials',
    text: 'The service gives a token for them.',
    fields: [el('label', { for: 'try-user' }, 'User id'), user, el('label', { for: 'try-paraphrase' }, 'Paraphrase'), secret],
    address,
    shown: () => ({
      [headers.nonce]: got.nonce ?? '<the nonce of step A>',
      [headers.authorization]: `${scheme} base64(${user.value}:${masked})`,
    }),
    sent: () =>
      got.nonce === undefined
        ? undefined
        : { [headers.nonce]: got.nonce, [headers.authorization]: `${scheme} ${base64(`${user.value}:${secret.value}`)}` },
    taken: (answer) => {
      const token = answer.headers.get(headers.token) ?? undefined;
      const nonce = answer.headers.get(headers.nonce) ?? undefined;
      if (token !== undefined) got.token = token;
      if (nonce !== undefined) got.nonce = nonce;
      if (token !== undefined) return `a token came: ${short(token)}`;
      return nonce === undefined ? 'no token came' : 'no token came, but a new nonce: try again';
    },
    changed: () => draw(),
  });
  const use = drawStep({
    sign: 'C',
    tone: 'pass',
    title: 'Use the token',
    text: 'It alone opens everything, as often as you like, until it ends.',
    address,
    shown: () => ({ [headers.token]: got.token === undefined ? '<the token of step B>' : short(got.token) }),
    sent: () => (got.token === undefined ? undefined : { [headers.token]: got.token }),
    taken: (answer) => (answer.ok ? 'the collection was served' : 'the token is not good any more'),
    changed: () => draw(),
  });
  const steps = [challenge, exchange, use];
  const draw = () => {
    for (const step of steps) step.draw();
  };
  for (const input of [collection, user, secret]) input.addEventListener('input', draw);
  draw();
  return [
    el(
      'section',
      { class: 'part' },
      el('h2', {}, 'Try the three steps'),
      el('p', { class: 'muted' }, 'Each button sends the request above it to the service, and the diagram shows how it was answered.'),
      el('p', { class: 'line' }, el('label', { for: 'try-collection' }, 'Collection'), collection),
    ),
    ...steps.map(({ element }) => element),
  ];
}

/** @param {string} token */
function short(token) {
  return `${token.slice(0, 4)}…`;
}

/** @param {string} text */
function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
