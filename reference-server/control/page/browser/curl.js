/** @import { Exchange, LiveFacts } from './types.js' */
import { plainTarget, word } from './generated/shell.js';

/** What curl writes by itself, and what belongs to one connection. */
const routine = /^(host|connection|content-length|accept-encoding|user-agent|sec-.*|keep-alive|transfer-encoding)$/i;
/** Headers besides the protocol's own whose values the server never tells. */
const secret = ['cookie', 'proxy-authorization'];
/** What the server shows of readable credentials. */
const credentialsOf = /\[credentials of user (-?\d+)\]$/;

/**
 * The request as a curl command. Secrets are variables of the shell, to be filled in. Everything else of it is the client's own text, and
 * reaches the shell through `word` only.
 * @param {Pick<Exchange, 'method' | 'target' | 'headers'>} exchange @param {Pick<LiveFacts, 'url' | 'protocol'>} facts
 */
export function curlText({ method, target, headers }, { url, protocol: { headers: names } }) {
  /** @type {string[]} */
  const variables = [];
  /** @param {string} name @param {string} value what stands in place of the secret */
  const variable = (name, value) => {
    const count = variables.filter((line) => line.startsWith(name)).length;
    const numbered = count === 0 ? name : `${name}_${count + 1}`;
    variables.push(`${numbered}=${word(`<${value.replace(/[[\]]/g, '')}>`)}`);
    return `"$${numbered}"`;
  };
  /** @param {readonly [string, string]} line */
  const option = ([name, value]) => {
    const lower = name.toLowerCase();
    // Whom they name, which need not be the owner of a token beside them.
    const user = lower === names.authorization.toLowerCase() ? credentialsOf.exec(value)?.[1] : undefined;
    if (user !== undefined) return `--user ${word(`${user}:`)}${variable('PARAPHRASE', `paraphrase of user ${user}`)}`;
    const kind = [names.token, names.nonce, names.authorization, ...secret].findIndex((each) => each.toLowerCase() === lower);
    if (kind >= 0) return `--header ${word(`${name}: `)}${variable(['TOKEN', 'NONCE', 'AUTHORIZATION'][kind] ?? 'SECRET', value)}`;
    // Curl sends a header without a value when a semicolon stands in place of the colon.
    return `--header ${word(value === '' ? `${name};` : `${name}: ${value}`)}`;
  };
  const { origin } = new URL(url);
  const own = headers.filter(([name]) => !routine.test(name));
  const options = [
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`--request ${word(method)}`]),
    ...(own.some(([name]) => /^accept$/i.test(name)) ? [] : ["--header 'Accept:'"]), // curl adds one
    ...own.map(option),
    plainTarget.test(target) ? word(`${origin}${target}`) : `--request-target ${word(target)} ${word(`${origin}/`)}`,
  ];
  return [...variables, ['curl --include --globoff --path-as-is', ...options].join(' \\\n  '), ''].join('\n');
}
