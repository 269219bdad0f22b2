/** @import { Exchange, LiveFacts } from '../types.js' */
/** @import { Scenario } from './scenario.js' */
import { paraphrase, scenarioOf } from './scenario.js';

/**
 * The exchange as a test for pytest. It needs `requests` and, to start a server of its own, `npx`.
 *
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 */
export function pytestText(exchange, facts) {
  const scenario = scenarioOf(exchange, facts);
  const { title, method, path, status, step } = scenario;
  const lines = [
    ...arrange(scenario, facts),
    '# Your client stands here instead of requests.',
    `answer = requests.request(${text(method)}, server["url"] + ${text(path)}${sent(scenario, facts)})`,
    `assert answer.status_code == ${status}`,
    `assert control(server, "GET", "/exchanges")["exchanges"][-1]["step"] == ${text(step)}`,
  ];
  return `import base64
import json
import subprocess
import uuid

import pytest
import requests


@pytest.fixture
def server():
    command = ["npx", "hydrauth", "serve", "--port", "0", "--clock", "manual", "--control", "--json"]
    command += [${serverOptions(scenario).map(text).join(', ')}]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield json.loads(process.stdout.readline())
        process.terminate()


def control(server, method, path, body=None):
    headers = {"Authorization": "Bearer " + server["controlToken"]}
    answer = requests.request(method, server["control"] + path, json=body, headers=headers)
    answer.raise_for_status()
    return answer.json() if answer.content else None


def basic(credentials):
    return ${text(`${facts.protocol.scheme} `)} + base64.b64encode(credentials.encode()).decode()


def test_exchange_${exchange.number}(server):
    ${text(title)}
${lines.map((line) => `    ${line}`).join('\n')}
`;
}

/** @param {Scenario} scenario */
function serverOptions({ user, collections, basePath, faults, variants }) {
  const options = ['--user', `${user}:${paraphrase}`, '--base-path', basePath === '' ? '/' : basePath, '--collection', ...collections];
  if (faults.length > 0) options.push('--fault', ...faults);
  if (variants.length > 0) options.push('--variant', ...variants);
  return options;
}

/**
 * What happens before the request. The token comes first, because the clock moves for it.
 *
 * @param {Scenario} scenario
 * @param {LiveFacts} facts
 */
function arrange({ token, nonce, user }, { protocol }) {
  const lines = [];
  if (token?.state === 'unknown') lines.push('token = "0" * 32');
  else if (token !== undefined) {
    lines.push(`token = control(server, "POST", "/tokens", {"user": ${user}})["token"]`);
    if (token.ageMs > 0) lines.push(`control(server, "POST", "/clock", {"advanceMs": ${Math.round(token.ageMs)}})`);
    if (token.state === 'expired' && token.cutShort) lines.push('control(server, "POST", "/tokens/expire", {"token": token})');
  }
  if (nonce === 'unknown') lines.push('nonce = str(uuid.uuid4())');
  else if (nonce !== undefined) {
    const name = text(protocol.headers.nonce);
    lines.push(`nonce = requests.get(server["url"]).headers[${name}]`);
    const login = `{${name}: nonce, ${text(protocol.headers.authorization)}: basic(${text(`${user}:${paraphrase}`)})}`;
    if (nonce === 'spent') lines.push(`requests.get(server["url"], headers=${login})`);
    if (nonce === 'expired') lines.push('control(server, "POST", "/nonces/expire", {"nonce": nonce})');
  }
  return lines;
}

/**
 * @param {Scenario} scenario
 * @param {LiveFacts} facts
 */
function sent({ token, nonce, credentials, malformed, headers }, { protocol }) {
  const pairs = headers.map(([name, value]) => `${text(name)}: ${text(value)}`);
  if (token !== undefined) pairs.push(`${text(protocol.headers.token)}: token`);
  if (nonce !== undefined) pairs.push(`${text(protocol.headers.nonce)}: nonce`);
  if (credentials !== undefined)
    pairs.push(`${text(protocol.headers.authorization)}: ${malformed ? text(credentials) : `basic(${text(credentials)})`}`);
  return pairs.length === 0 ? '' : `, headers={${pairs.join(', ')}}`;
}

/**
 * A string of Python.
 *
 * @param {string} value
 */
function text(value) {
  return JSON.stringify(value);
}
