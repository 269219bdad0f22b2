/** @import { App } from '../base/app.js' */
/** @import { Condition, Exchange, LiveFacts } from '../types.js' */
import { button, byId, el, say } from '../base/dom.js';
import { instantWords, timeWords, tookWords } from '../base/time.js';
import { lookOf, statusWords } from '../base/words.js';
import { curlText } from './curl.js';
import { drawPresented } from './presented.js';

/** The chosen exchange, decoded. Without a choice it is the newest one. @param {App} app */
export function makeExchange(app) {
  const place = byId('exchange');
  let tick = () => {};
  let drawn = '';
  const follow = button('Follow the newest', 'Follow the newest', () => app.choose(undefined));
  follow.className = 'follow';
  const draw = () => {
    const exchange = app.chosen ?? app.exchanges.at(-1);
    const key = `${exchange?.number} ${app.chosen === undefined}`;
    if (key === drawn) return tick();
    drawn = key;
    if (exchange === undefined) return place.replaceChildren();
    const presented = drawPresented(app, exchange);
    tick = presented.tick;
    place.replaceChildren(
      drawHead(exchange, app.isManual, app.chosen === undefined ? undefined : follow),
      part('Decoded', presented.element),
      exchange.because.length === 0 ? '' : part('Why it was answered so', drawWhy(exchange, app.facts)),
      part('On the wire', ...drawMessages(exchange)),
      part('Take it with you', ...drawCurl(exchange, app.facts)),
    );
    place.scrollTop = 0;
  };
  // Whoever reads on must not lose what is being read to the next exchange.
  place.addEventListener('click', ({ target }) => {
    if (app.chosen === undefined && target !== follow) app.choose(app.exchanges.at(-1));
  });
  app.on(['chosen', 'exchanges', 'cleared'], draw);
  app.on(['state', 'tick'], () => tick());
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
  /** @param {string} name @param {string} summary @param {Record<string, string>} texts */
  const fold = (name, summary, texts) => {
    const shown = Object.entries(texts).filter(([, text]) => text !== '');
    return el('details.fold', el('summary', el('b', name), ' ', el('code', summary)), ...shown.map(([label, text]) => pre(label, text)));
  };
  const answer = { 'Answer headers': lines(answerHeaders), 'Answer body': body };
  return [
    fold('Request', `${method} ${target}`, { 'Request headers': lines(headers) }),
    fold('Answer', `${status}, ${bodyOctets.toLocaleString('en')} octets`, answer),
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
