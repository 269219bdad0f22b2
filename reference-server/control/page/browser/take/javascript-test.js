/** @import { Exchange, LiveFacts } from '../types.js' */
/** @import { Scenario } from './scenario.js' */
import { paraphrase, scenarioOf } from './scenario.js';

/**
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 */
export function vitestText(exchange, facts) {
  return testText(exchange, facts, {
    imports: ["import { expect, test } from 'vitest';"],
    equal: (actual, expected) => `expect(${actual}).toBe(${expected});`,
  });
}

/**
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 */
export function nodeTestText(exchange, facts) {
  return testText(exchange, facts, {
    imports: ["import assert from 'node:assert/strict';", "import { test } from 'node:test';"],
    equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
  });
}

/** @typedef {{ imports: string[], equal: (actual: string, expected: string) => string }} Dialect */

/**
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 * @param {Dialect} dialect
 */
function testText(exchange, facts, { imports, equal }) {
  const scenario = scenarioOf(exchange, facts);
  const { title, method, path, status, step } = scenario;
  const headers = sent(scenario, facts);
  const options =
    headers === '' && method === 'GET'
      ? ''
      : `, { ${[method === 'GET' ? '' : `method: ${text(method)}`, headers].filter(Boolean).join(', ')} }`;
  return `${imports.join('\n')}
import { manualClock, startReferenceServer } from 'hydrauth/reference-server';

test(${text(title)}, async () => {
  const clock = manualClock();
  const server = await startReferenceServer(${serverOptions(scenario)});
  try {
${[...arrange(scenario, facts), '// Your client stands here instead of fetch.', `const answer = await fetch(${address(path)}${options});`, equal('answer.status', String(status)), equal('server.recorded.at(-1).step', text(step))].map((line) => `    ${line}`).join('\n')}
  } finally {
    await server.close();
  }
});
`;
}

/** @param {Scenario} scenario */
function serverOptions({ user, collections, basePath, faults, variants }) {
  const options = ['clock', `users: [{ id: ${user}, paraphrase: ${text(paraphrase)} }]`, `collections: ${list(collections)}`];
  if (basePath !== '/api') options.push(`basePath: ${text(basePath === '' ? '/' : basePath)}`);
  if (faults.length > 0) options.push(`faults: ${list(faults)}`);
  if (variants.length > 0) options.push(`variants: ${list(variants)}`);
  return `{\n${options.map((option) => `    ${option},\n`).join('')}  }`;
}

/**
 * An address below the base URL.
 *
 * @param {string} path
 */
function address(path) {
  return /[`$\\]/.test(path) ? `server.url + ${text(path)}` : `\`\${server.url}${path}\``;
}

/**
 * What happens before the request. The token comes first, because the clock moves for it.
 *
 * @param {Scenario} scenario
 * @param {LiveFacts} facts
 */
function arrange({ token, nonce, user }, { protocol }) {
  const lines = [];
  if (token?.state === 'unknown') lines.push("const token = '0'.repeat(32);");
  else if (token !== undefined) {
    lines.push(`const token = await server.issueToken(${user});`);
    if (token.ageMs > 0) lines.push(`clock.advance({ ms: ${Math.round(token.ageMs)} });`);
    if (token.state === 'expired' && token.cutShort) lines.push('await server.expire(token);');
  }
  if (nonce === 'unknown') lines.push('const nonce = crypto.randomUUID();');
  else if (nonce !== undefined) {
    lines.push(`const nonce = (await fetch(server.url)).headers.get(${text(protocol.headers.nonce)});`);
    if (nonce === 'spent')
      lines.push(
        `await fetch(server.url, { headers: { ${pair(protocol.headers.nonce, 'nonce')}, ${pair(protocol.headers.authorization, login(`${user}:${paraphrase}`, protocol.scheme))} } });`,
      );
    if (nonce === 'expired') lines.push('await server.expire(nonce);');
  }
  return lines;
}

/**
 * @param {Scenario} scenario
 * @param {LiveFacts} facts
 */
function sent({ token, nonce, credentials, malformed, headers }, { protocol }) {
  const pairs = headers.map(([name, value]) => pair(name, text(value)));
  if (token !== undefined) pairs.push(pair(protocol.headers.token, 'token'));
  if (nonce !== undefined) pairs.push(pair(protocol.headers.nonce, 'nonce'));
  if (credentials !== undefined)
    pairs.push(pair(protocol.headers.authorization, malformed ? text(credentials) : login(credentials, protocol.scheme)));
  return pairs.length === 0 ? '' : `headers: { ${pairs.join(', ')} }`;
}

/**
 * @param {string} credentials
 * @param {string} scheme
 */
function login(credentials, scheme) {
  return `\`${scheme} \${btoa(${text(credentials)})}\``;
}

/**
 * @param {string} name
 * @param {string} value an expression
 */
function pair(name, value) {
  return `${/^[A-Za-z]+$/.test(name) ? name : text(name)}: ${value}`;
}

/** @param {readonly string[]} texts */
function list(texts) {
  return `[${texts.map(text).join(', ')}]`;
}

/**
 * A string of JavaScript in single quotes.
 *
 * @param {string} value
 */
function text(value) {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
