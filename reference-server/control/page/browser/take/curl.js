/** @import { Exchange, LiveFacts } from '../types.js' */

/** What curl writes by itself, and what belongs to one connection. */
const routine = /^(host|connection|content-length|accept-encoding|user-agent|sec-.*|keep-alive|transfer-encoding)$/i;

/** @param {Exchange['headers']} headers */
export function ownHeaders(headers) {
  return headers.filter(([name]) => !routine.test(name));
}

/**
 * The request as a curl command. Secrets are variables of the shell, to be filled in.
 *
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 */
export function curlText({ number, method, target, headers, status, reason }, { url, protocol }) {
  /** @type {string[]} */
  const variables = [];
  /** @param {string} name @param {string} hint */
  const variable = (name, hint) => {
    variables.push(`${name}=${quoted(`<${hint}>`)}`);
    return `$${name}`;
  };
  const options = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`--request ${quoted(method)}`];
  for (const [name, value] of ownHeaders(headers)) {
    const form = /^(?:\S+ )?\[(.+)\]$/.exec(value)?.[1];
    if (form === undefined) options.push(`--header ${quoted(`${name}: ${value}`)}`);
    else if (same(name, protocol.headers.authorization)) {
      const user = /user (-?\d+)/.exec(form)?.[1] ?? '<id>';
      options.push(`--user "${user}:${variable('PARAPHRASE', `paraphrase of user ${user}`)}"`);
    } else if (same(name, protocol.headers.token)) options.push(`--header "${name}: ${variable('TOKEN', form)}"`);
    else if (same(name, protocol.headers.nonce)) options.push(`--header "${name}: ${variable('NONCE', form)}"`);
    else options.push(`--header "${name}: ${variable('SECRET', `value of ${name}`)}"`);
  }
  const address = quoted(new URL(url).origin + target);
  return [
    `# Exchange ${number}, answered ${status}: ${oneLine(reason)}`,
    ...variables,
    ['curl --include', ...options, address].join(' \\\n  '),
    '',
  ].join('\n');
}

/**
 * A word of the shell.
 *
 * @param {string} text
 */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param {string} text */
export function oneLine(text) {
  return text.replace(/\s+/g, ' ');
}

/**
 * @param {string} name
 * @param {string} other
 */
function same(name, other) {
  return name.toLowerCase() === other.toLowerCase();
}
