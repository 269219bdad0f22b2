/** @import { App } from './base.js' */
/** @import { Condition, Exchange, LiveFacts } from './types.js' */
import { button, byId, el, say } from './base.js';
import { curlText } from './curl.js';
import { durationWords, instantWords, lookOf, statusWords, timeWords, tookWords } from './words.js';

/** The chosen exchange, decoded. Without a choice it is the newest one. @param {App} app */
export function makeExchange(app) {
  const place = byId('exchange');
  let drawn = '';
  const follow = el('button.follow', { type: 'button', click: () => app.set('chosen', { chosen: undefined }) }, 'Follow the newest');
  const draw = () => {
    const exchange = app.chosen ?? app.exchanges.at(-1);
    const key = `${exchange?.number} ${app.chosen === undefined}`;
    if (key === drawn) return;
    drawn = key;
    if (exchange === undefined) return place.replaceChildren();
    place.replaceChildren(
      drawHead(exchange, app.isManual, app.chosen === undefined ? undefined : follow),
      part('Decoded', drawPresented(app, exchange)),
      exchange.because.length === 0 ? '' : part('Why it was answered so', drawWhy(exchange, app.facts)),
      part('On the wire', ...drawMessages(exchange)),
      part('Take it with you', ...drawCurl(exchange, app.facts)),
    );
    place.scrollTop = 0;
  };
  // Whoever reads on must not lose what is being read to the next exchange.
  place.addEventListener('click', ({ target }) => {
    if (app.chosen === undefined && target !== follow) app.set('chosen', { chosen: app.exchanges.at(-1) });
  });
  app.on(['chosen', 'exchanges', 'cleared'], draw);
  app.on(['state', 'tick'], () => {
    for (const bar of document.querySelectorAll('.life')) bar.dispatchEvent(new Event('tick'));
  });
}

/** @param {string} title @param {...Node} content */
function part(title, ...content) {
  return el('section.part', el('h3', title), ...content);
}

/** @param {Exchange} exchange @param {boolean} isManual @param {HTMLElement | undefined} follow */
function drawHead(exchange, isManual, follow) {
  const { number, connection, method, target, reason, atMs, wallMs, tookMs, faults, variants } = exchange;
  const { name, tone } = lookOf(exchange);
  const on = [...faults, ...variants].join(', ');
  const clock = isManual ? ` The server's clock stood at ${instantWords(atMs)}.` : '';
  return el(
    `header.is-${tone}`,
    el('p.muted', `${name} · exchange ${number} · connection ${connection}`),
    el('div.which', el('h2', el('code', `${method} ${target}`)), follow),
    el('p.verdict', el('b', `${statusWords(exchange)} `), reason),
    el('p.muted.small', `Answered at ${timeWords(wallMs)} UTC, after ${tookWords(tookMs)}.${clock}`),
    on === '' ? undefined : el('p.switched-on', `On for this request: ${on}. The conditions below are those of the server without.`),
  );
}

/** The conditions of the rules, in the order in which the server looked at them. @param {Exchange} exchange @param {LiveFacts} facts */
function drawWhy({ because, rule }, facts) {
  const rules = [...new Set(because.map((each) => each.rule))].map((number) => {
    const conditions = because.filter((each) => each.rule === number);
    const isFollowed = number === rule;
    const title = el('p.rule', el('b', `Rule ${number}`), isFollowed ? el('em', 'followed') : undefined, ` ${facts.rules[number] ?? ''}`);
    return el(isFollowed ? 'li.followed' : 'li', title, el('ul', ...conditions.map((each) => drawCondition(each, facts))));
  });
  return el('ol.why', ...rules);
}

/** @param {Condition} condition @param {LiveFacts} facts */
function drawCondition({ condition, held, detail, requirements }, facts) {
  const sign = el('span.sign', { role: 'img', 'aria-label': held ? 'yes' : 'no' }, held ? '✓' : '✗');
  const text = el('span', condition, detail === undefined ? undefined : el('span.muted', `: ${detail}`));
  const ids = requirements.map((id) => {
    const { level = '', text: statement = '' } = facts.requirements[id] ?? {};
    return el('details.requirement', el('summary', id), el('p', el('b.level', level), ` ${statement}`));
  });
  return el(`li.is-${held ? 'pass' : 'fail'}`, sign, el('div.condition', text, ...ids));
}

/** Request and answer as they were on the wire, secrets replaced by their names. @param {Exchange} exchange */
function drawMessages({ method, target, headers, status, answerHeaders, body, bodyOctets }) {
  /** @param {Exchange['headers']} pairs */
  const lines = (pairs) => pairs.map(([name, value]) => `${name}: ${value}`).join('\n');
  /** @param {string} name @param {string} summary @param {...HTMLElement} texts */
  const fold = (name, summary, ...texts) =>
    el('details.fold', el('summary', el('b', name), ' ', el('code', summary)), ...texts.filter(({ textContent }) => textContent !== ''));
  const answer = [pre('Answer headers', lines(answerHeaders)), pre('Answer body', body)];
  return [
    fold('Request', `${method} ${target}`, pre('Request headers', lines(headers))),
    fold('Answer', `${status}, ${bodyOctets.toLocaleString('en')} octets`, ...answer),
  ];
}

/** @param {string} label @param {string} text */
function pre(label, text) {
  return el('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text);
}

/** @param {Exchange} exchange @param {LiveFacts} facts */
function drawCurl(exchange, facts) {
  const shown = pre('What was copied', curlText(exchange, facts));
  shown.hidden = true;
  const copy = async () => {
    shown.hidden = false;
    try {
      await navigator.clipboard.writeText(shown.textContent ?? '');
      say('Copied as curl.');
    } catch {
      getSelection()?.selectAllChildren(shown);
      say('Selected as curl; press Ctrl+C to copy.');
    }
  };
  return [button('Copy as curl', 'Copy as curl', copy), shown];
}

/**
 * What the request brought, decoded: token with its life, nonce, credentials with the paraphrase masked.
 * @param {App} app @param {Exchange} exchange
 */
function drawPresented(app, { presented, atMs }) {
  const { headers, scheme } = app.facts.protocol;
  const { nonce, nonceNumber, credentials, token, tokenNumber, tokenIssuedAtMs, tokenExpiresAtMs, user } = presented;
  const list = el('dl.pairs');
  /** @param {string} name @param {Node | string} what @param {string} word @param {boolean} isGood */
  const pair = (name, what, word, isGood) =>
    list.append(el('dt', name), el('dd', what, el(`span.state.is-${isGood ? 'pass' : 'fail'}`, word)));

  if (token !== 'none') {
    const whose = user === undefined || token === 'unknown' ? '' : ` of user ${user}`;
    const what = tokenNumber === undefined ? 'a token that was never issued' : `token ${tokenNumber}${whose}`;
    pair(headers.token, what, token === 'issued' ? 'given by the answer' : token, token === 'valid' || token === 'issued');
    if (tokenIssuedAtMs !== undefined && tokenExpiresAtMs !== undefined)
      list.append(el('dd', drawTokenBar(app, { issuedAtMs: tokenIssuedAtMs, expiresAtMs: tokenExpiresAtMs, usedAtMs: atMs })));
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
  return list.childElementCount === 0 ? el('p.muted', 'Neither a token nor a nonce nor credentials.') : list;
}

/**
 * The life of a token as a bar that runs on the server's clock. The style sheet draws it from how much of it is over.
 * @param {App} app @param {{ issuedAtMs: number, expiresAtMs: number, usedAtMs?: number }} life
 */
export function drawTokenBar(app, { issuedAtMs, expiresAtMs, usedAtMs }) {
  const wholeMs = Math.max(1, expiresAtMs - issuedAtMs);
  /** @param {number} atMs */
  const part = (atMs) => `${(100 * Math.max(0, Math.min(1, (atMs - issuedAtMs) / wholeMs))).toFixed(1)}%`;
  const [age, words, bar] = [el('span'), el('span'), el('div.bar')];
  if (usedAtMs !== undefined && usedAtMs <= expiresAtMs) bar.style.setProperty('--used', part(usedAtMs));
  const tick = () => {
    const leftMs = expiresAtMs - app.now();
    element.classList.toggle('is-fail', leftMs <= 0);
    element.classList.toggle('is-warn', leftMs > 0 && leftMs < wholeMs / 9);
    bar.style.setProperty('--over', part(app.now()));
    age.textContent = `${durationWords(app.now() - issuedAtMs)} old`;
    words.textContent = leftMs > 0 ? `${durationWords(leftMs)} left` : leftMs === 0 ? 'ends now' : `ended ${durationWords(-leftMs)} ago`;
  };
  const element = el('div.life', { tick }, el('p', age, words), bar);
  tick();
  return element;
}
