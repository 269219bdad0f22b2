/** @import { Exchange, LiveFacts } from '../types.js' */
import { el } from '../base/dom.js';
import { drawTokenBar } from './token-bar.js';

const masked = '••••••••';

/**
 * What the request brought, decoded: token with its life, nonce, credentials with the paraphrase masked.
 *
 * @param {{ facts: LiveFacts, now: () => number }} app
 * @param {Exchange} exchange
 * @returns {{ element: HTMLElement, tick: () => void }}
 */
export function drawPresented(app, { presented, atMs }) {
  const { headers, scheme } = app.facts.protocol;
  const { nonce, nonceNumber, credentials, token, tokenNumber, tokenIssuedAtMs, tokenExpiresAtMs, user } = presented;
  const list = el('dl', { class: 'pairs' });
  /** @type {(() => void)[]} */
  const ticks = [];
  /** @param {string} name @param {...(Node | string)} content */
  const pair = (name, ...content) => list.append(el('dt', {}, name), el('dd', {}, ...content));

  if (token !== 'none') {
    const of = user === undefined || token === 'unknown' ? '' : ` of user ${user}`;
    const words = token === 'issued' ? 'given by the answer' : token;
    pair(
      headers.token,
      tokenNumber === undefined ? `a token that was never issued` : `token ${tokenNumber}${of}`,
      state(words, token !== 'unknown' && token !== 'expired'),
    );
    if (tokenIssuedAtMs !== undefined && tokenExpiresAtMs !== undefined) {
      const life = drawTokenBar(() => app.now(), { issuedAtMs: tokenIssuedAtMs, expiresAtMs: tokenExpiresAtMs, usedAtMs: atMs });
      list.append(el('dd', {}, life.element));
      ticks.push(life.tick);
    }
  }
  if (nonce !== 'none')
    pair(
      headers.nonce,
      nonceNumber === undefined ? 'a nonce' : `nonce ${nonceNumber}`,
      state(nonce === 'known' ? 'opens' : nonce, nonce === 'known'),
    );
  if (credentials === 'malformed') pair(headers.authorization, 'cannot be read', state(credentials, false));
  else if (credentials !== 'none') {
    const text = el(
      'code',
      {},
      `${user ?? 'unknown id'}:`,
      el('span', { class: 'masked', title: 'The paraphrase is never shown' }, masked),
    );
    pair(headers.authorization, `${scheme} `, text, state(credentials, credentials === 'right'));
  }

  return {
    element: list.childElementCount === 0 ? el('p', { class: 'muted' }, 'Neither a token nor a nonce nor credentials.') : list,
    tick: () => {
      for (const tick of ticks) tick();
    },
  };
}

/**
 * @param {string} word
 * @param {boolean} good
 */
function state(word, good) {
  return el('span', { class: `state ${good ? 'is-pass' : 'is-fail'}` }, word);
}
