/** @import { App } from './base.js' */
/** @import { Kind, Switch } from './types.js' */
import { button, byId, complain, el, field, steer } from './base.js';
import { drawTokenBar } from './exchange.js';
import { durationWords, instantWords, leftWords, matcher, readDuration } from './words.js';

const allowed = '90 s, 1 h 30 min, PT1H and 2030-01-01T00:00Z';

/** The server's clock: what it says, and how far it is to move. @param {App} app */
export function makeClock(app) {
  const typed = field('move-by');
  const oldestMs = () => Math.min(...app.state.tokens.map(({ expiresAtMs }) => expiresAtMs));
  const leftMs = () => oldestMs() - app.now();
  /** @param {number} byMs */
  const move = (byMs) =>
    steer('clock-problem', `The clock moved on by ${durationWords(byMs)}.`, '/clock', 'POST', { advanceMs: Math.round(byMs) });
  const moves = { 'minute-on': () => 60_000, 'day-on': () => 86_400_000, 'near-end': () => leftMs() - 1000, 'to-end': leftMs };
  for (const [id, byMs] of Object.entries(moves)) byId(id).addEventListener('click', () => move(byMs()));
  byId('move').addEventListener('submit', (event) => {
    event.preventDefault();
    const byMs = readDuration(typed.value) ?? untilMs(typed.value, app.now());
    if (byMs !== undefined) move(byMs);
    else complain('clock-problem', `${JSON.stringify(typed.value)} is no duration and no later instant; ${allowed} are allowed.`);
  });

  const tick = () => {
    byId('clock-now').textContent = instantWords(app.now());
    byId('now').textContent = `${instantWords(app.now())} UTC${app.isManual ? ', standing still' : ''}`;
  };
  const draw = () => {
    byId('manual').hidden = !app.isManual;
    byId('system').hidden = app.isManual;
    const lives = Number.isFinite(oldestMs());
    field('near-end').disabled = !lives || leftMs() <= 1000;
    field('to-end').disabled = !lives || leftMs() <= 0;
    byId('oldest').textContent = lives ? `The oldest living token ends in ${durationWords(leftMs())}.` : 'No token lives.';
    tick();
  };
  app.on(['tick'], tick);
  drawWhenOther(app, () => app.state, draw);
}

/** How far it is to an instant that is not over. @param {string} typed @param {number} nowMs */
function untilMs(typed, nowMs) {
  const atMs = /^\d{4}-\d\d-\d\d/.test(typed.trim()) ? Date.parse(typed.trim()) : Number.NaN;
  return atMs >= nowMs ? atMs - nowMs : undefined;
}

const listed = 4; // the oldest

/** The tokens that live, with what is left of each. @param {App} app */
export function makeTokens(app) {
  const draw = () => {
    const { tokens } = app.state;
    const shown = tokens.slice(0, listed);
    const more = tokens.length - shown.length;
    byId('token-count').textContent = tokens.length === 0 ? 'none lives' : `${tokens.length.toLocaleString('en')} living`;
    const items = shown.map(({ number, user, ...life }) => {
      const end = () => steer('token-problem', `Token ${number} has ended.`, `/tokens/${number}/expire`, 'POST');
      const words = el('div', el('b', `Token ${number}`), el('span.muted', ` of user ${user}`), drawTokenBar(app, life));
      return el('li', words, button('End', `End token ${number}`, end));
    });
    if (more > 0) items.push(el('li.muted', `and ${more.toLocaleString('en')} younger ones`));
    byId('tokens').replaceChildren(...items);
  };
  drawWhenOther(app, () => app.state.tokens, draw);
}

/** Draws now, and when what is shown of the state is another. @param {App} app @param {() => unknown} shown @param {() => void} draw */
function drawWhenOther(app, shown, draw) {
  let drawn = JSON.stringify(shown());
  app.on(['state'], () => {
    const now = JSON.stringify(shown());
    if (now !== drawn) draw();
    drawn = now;
  });
  draw();
}

/** @type {Kind[]} */
const kinds = ['faults', 'variants'];

/**
 * Faults and variants, in groups by what they break: found by words, switched on for all requests or for the next one, and shown at the
 * top while they are on.
 * @param {App} app @param {Record<Kind, readonly Switch[]>} all
 */
export function makeSwitches(app, all) {
  const search = field('find-switch');
  const every = kinds.flatMap((kind) =>
    all[kind].map(({ id, sentence, requirements, atStartOnly }) => {
      const name = `${kind.slice(0, -1)} ${id}`;
      const group = kind === 'variants' ? 'variants' : (requirements[0]?.split('.')[0] ?? 'other');
      return { kind, id, name, group, sentence, atStartOnly, text: `${name} ${sentence} ${requirements.join(' ')}`.toLowerCase() };
    }),
  );
  /** @type {Set<string>} the groups that somebody opened */
  const open = new Set();

  /** @param {typeof every[number]} fixture @param {Switch | undefined} now */
  const drawSwitch = ({ kind, id, name, sentence, atStartOnly }, now) => {
    /** @param {string} text @param {string} which @param {object} use */
    const use = (text, which, use) =>
      button(text, `${name} for ${which}`, () => steer('switch-problem', `${id} is on for ${which}.`, `/${kind}/${id}`, 'PUT', use));
    const buttons = now ? [off('Off', kind, id, name)] : [use('Next', 'the next request', { next: 1 }), use('All', 'all requests', {})];
    return el(
      now ? 'li.on' : 'li',
      el('p', el('code', id), now ? el('span.by', leftWords(now)) : undefined),
      atStartOnly ? el('span.muted.small', 'at the start only') : el('span.pair', ...buttons),
      el('p.muted.small', sentence),
    );
  };
  const draw = () => {
    const on = kinds.flatMap((kind) => app.state[kind].map((now) => ({ kind, now })));
    const { isAll, fits } = matcher(search.value);
    const fitting = every.filter(({ text }) => fits(text));
    const groups = [...new Set(fitting.map(({ group }) => group))].map((group) => {
      const own = fitting.filter((each) => each.group === group);
      const isOpen = open.has(group) || !isAll;
      const toggle = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (!open.delete(group)) open.add(group);
        draw();
      };
      const title = el('summary', { click: toggle }, group, el('span.muted.small', ` ${own.length}`));
      /** @param {typeof every[number]} each */
      const draws = (each) => drawSwitch(each, on.find(({ kind, now }) => kind === each.kind && now.id === each.id)?.now);
      // What is folded is not drawn: there are hundreds.
      return el('details.group', { open: isOpen, 'data-group': group }, title, el('ul.switches', ...(isOpen ? own.map(draws) : [])));
    });
    byId('switch-count').textContent = isAll ? String(every.length) : `${fitting.length} of ${every.length}`;
    byId('switch-groups').replaceChildren(...groups);
    const chips = on.map(({ kind, now }) =>
      el('li.chip', `${now.id}, ${leftWords(now)}`, now.atStartOnly ? undefined : off('✕', kind, now.id, now.id)),
    );
    byId('switched').replaceChildren(...chips);
  };
  search.addEventListener('input', draw);
  drawWhenOther(app, () => kinds.map((kind) => app.state[kind]), draw);
}

/** @param {string} text @param {Kind} kind @param {string} id @param {string} name */
function off(text, kind, id, name) {
  return button(text, `Switch ${name} off`, () => steer('switch-problem', `${id} is off.`, `/${kind}/${id}`, 'DELETE'));
}

/** Trouble on demand: asked for in a form, and shown at the top while it is on. @param {App} app */
export function makeTroubles(app) {
  const form = /** @type {HTMLFormElement} */ (byId('trouble'));
  const [kind, figure, body] = [field('trouble-kind'), field('trouble-figure'), field('trouble-body')];
  const chosen = () => /** @type {HTMLOptionElement} */ (form.querySelector('#trouble-kind :checked'));
  field('trouble-path').placeholder = `any, such as ${new URL(app.facts.url).pathname}/*`;
  /** @param {HTMLInputElement} input @param {boolean} isNeeded */
  const need = (input, isNeeded) => {
    input.disabled = !isNeeded;
    for (const each of [input, ...(input.labels ?? [])]) each.hidden = !isNeeded;
  };
  const draw = () => {
    const { unit, first = '' } = chosen().dataset;
    byId('trouble-unit').textContent = unit ?? '';
    figure.value = first;
    need(figure, unit !== undefined);
    need(body, kind.value === 'status' || kind.value === 'limit');
  };
  kind.addEventListener('input', draw);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = [...new FormData(form)].filter(([, value]) => value !== '');
    const given = typed.map(([name, value]) => [name, field(`trouble-${name}`).type === 'number' ? Number(value) : value]);
    const limit = { status: 429, headers: { 'Retry-After': figure.value } };
    const figured = kind.value === 'limit' ? limit : { [kind.value]: Number(figure.value) };
    const trouble = { ...(figure.disabled ? { connection: kind.value } : figured), ...Object.fromEntries(given) };
    steer('trouble-problem', `Trouble is on: ${chosen().text}.`, '/troubles', 'POST', trouble);
  });
  byId('clear-troubles').addEventListener('click', () => steer('trouble-problem', 'There is no trouble any more.', '/troubles', 'DELETE'));
  const show = () => {
    const chips = app.state.troubles.map((each) => {
      const end = () => steer('trouble-problem', `Trouble ${each.number} is over.`, `/troubles/${each.number}`, 'DELETE');
      const which = each.left === 0 ? `${each.held} held` : leftWords(each);
      return el('li.chip', `${each.sentence}, ${which}`, button('✕', `End trouble ${each.number}`, end));
    });
    byId('troubled').replaceChildren(...chips);
    field('clear-troubles').disabled = chips.length === 0;
  };
  drawWhenOther(app, () => app.state.troubles, show);
  draw();
}

/** The three steps by hand, for people who meet the protocol for the first time. The requests go to the reference server itself. @param {App} app */
export function makeTryIt(app) {
  const { url, collections, protocol } = app.facts;
  const { headers, scheme } = protocol;
  const [collection, user, secret] = [field('try-collection'), field('try-user'), field('try-paraphrase')];
  collection.append(...collections.map((name) => el('option', name)));
  user.value = String(app.state.users[0] ?? 1);
  /** What answers gave until now, and what the last one did. */
  const got = { nonce: '', token: '' };
  let came = { ...got, ok: false };
  const login = () => `${scheme} ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user.value}:${secret.value}`)))}`;
  const short = (/** @type {string} */ token) => `${token.slice(0, 4)}…`;
  /** Of each step the lines that are sent, each with how it is shown, and what is said of the answer. What has no value is missing yet. */
  const steps = {
    A: { lines: () => [], says: () => (came.nonce === '' ? 'no nonce came' : `a nonce came: ${came.nonce}`) },
    B: {
      lines: () => [
        [headers.nonce, got.nonce, got.nonce || '<the nonce of step A>'],
        [headers.authorization, login(), `${scheme} base64(${user.value}:••••••••)`],
      ],
      says: () =>
        came.token === '' ? `no token came${came.nonce && ', but a new nonce: try again'}` : `a token came: ${short(came.token)}`,
    },
    C: {
      lines: () => [[headers.token, got.token, got.token === '' ? '<the token of step B>' : short(got.token)]],
      says: () => (came.ok ? 'the collection was served' : 'the token is not good any more'),
    },
  };
  const address = () => new URL(`${url}/${encodeURIComponent(collection.value)}`);
  const draw = () => {
    for (const [sign, { lines }] of Object.entries(steps)) {
      const shown = lines().map(([name, , value]) => `${name}: ${value}`);
      byId(`request-${sign}`).textContent = [`GET ${address().pathname}`, `Host: ${address().host}`, ...shown].join('\n');
      field(`send-${sign}`).disabled = lines().some(([, value]) => value === '');
    }
  };
  for (const [sign, { lines, says }] of Object.entries(steps))
    byId(`step-${sign}`).addEventListener('submit', async (event) => {
      event.preventDefault();
      const output = byId(`came-${sign}`);
      try {
        const sent = lines().map(([name = '', value = '']) => /** @type {[string, string]} */ ([name, value]));
        const answer = await fetch(address(), { headers: sent, credentials: 'omit', cache: 'no-store' });
        const [nonce = '', token = ''] = [headers.nonce, headers.token].map((name) => answer.headers.get(name) ?? undefined);
        came = { nonce, token, ok: answer.ok };
        Object.assign(got, { nonce: nonce || got.nonce, token: token || got.token });
        output.className = answer.ok ? 'is-pass' : 'is-warn';
        output.textContent = `${answer.status}: ${says()}`;
      } catch {
        output.className = 'is-fail';
        output.textContent = 'The service did not answer.';
      }
      draw();
    });
  for (const input of [collection, user, secret]) input.addEventListener('input', draw);
  draw();
}
