/** @import { App } from '../base/app.js' */
/** @import { Exchange } from '../types.js' */
/** @import { Ticking } from './token-bar.js' */
import { el } from '../base/dom.js';
import { drawTokenBar } from './token-bar.js';

/**
 * What the request brought, decoded: token with its life, nonce, credentials with the paraphrase masked.
 * @param {App} app @param {Exchange} exchange @returns {Ticking}
 */
export function drawPresented(app, { presented, atMs }) {
  const { headers, scheme } = app.facts.protocol;
  const { nonce, nonceNumber, credentials, token, tokenNumber, tokenIssuedAtMs, tokenExpiresAtMs, user } = presented;
  const list = el('dl.pairs');
  let tick = () => {};
  /** @param {string} name @param {Node | string} what @param {string} word @param {boolean} isGood */
  const pair = (name, what, word, isGood) =>
    list.append(el('dt', name), el('dd', what, el(`span.state.is-${isGood ? 'pass' : 'fail'}`, word)));

  if (token !== 'none') {
    const whose = user === undefined || token === 'unknown' ? '' : ` of user ${user}`;
    const what = tokenNumber === undefined ? 'a token that was never issued' : `token ${tokenNumber}${whose}`;
    pair(headers.token, what, token === 'issued' ? 'given by the answer' : token, token === 'valid' || token === 'issued');
    if (tokenIssuedAtMs !== undefined && tokenExpiresAtMs !== undefined) {
      const life = drawTokenBar(() => app.now(), { issuedAtMs: tokenIssuedAtMs, expiresAtMs: tokenExpiresAtMs, usedAtMs: atMs });
      list.append(el('dd', life.element));
      tick = life.tick;
    }
  }
  if (nonce !== 'none') {
    const what = nonceNumber === undefined ? 'a nonce' : `nonce ${nonceNumber}`;
    pair(headers.nonce, what, nonce === 'known' ? 'opens' : nonce, nonce === 'known');
  }
  if (credentials === 'malformed') pair(headers.authorization, 'cannot be read', credentials, false);
  else if (credentials !== 'none') {
    const masked = el('span.masked', { title: 'The paraphrase is never shown' }, '••••••••');
    const login = el('span', `${scheme} `, el('code', `${user ?? 'unknown id'}:`, masked));
    pair(headers.authorization, login, credentials, credentials === 'right');
  }
  return { element: list.childElementCount === 0 ? el('p.muted', 'Neither a token nor a nonce nor credentials.') : list, tick };
}
