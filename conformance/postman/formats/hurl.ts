import type { Protocol, Spec } from '../../../spec/index.js';
import { clockFolder, type PlannedCheck, type PlannedRequest, planned, type Value } from '../plan/index.js';

/**
 * The requests as a Hurl file. Hurl has no scripts: it compares one answer with fixed texts, and cannot leave a test untested. So what must be
 * refused is asserted where it is sent, its control after it, and comparisons that need more than a pattern are weaker than in Postman.
 */
export function hurlText(spec: Spec): string {
  const folders = planned(spec);
  const requests = folders.flatMap((folder) => folder.requests);
  const entries = folders.map(({ id, name, about, requests: own }) => {
    const each = own.map((request) => entryOf(request, id === clockFolder, requests, spec.protocol));
    return `# ${name}\n# ${about}\n\n${each.join('\n')}`;
  });
  return `${head}\n${entries.join('\n')}`;
}

const head = `# The requirements of hydrauth by example, written by "hydrauth export hurl".
#
# hurl --test --continue-on-error --variable base_url=http://localhost:8080/api --variable collection=books \\
#   --variable user_id=1 --variable paraphrase="..." --variable clock_url=http://localhost:9000/ --variable no_clock=false hydrauth.hurl
#
# Without a clock set no_clock=true, and clock_url to anything: the requests about expiry are then skipped.
# base_url has no slash at its end. A line beginning with "# checks" names the requirements that the asserts below it show.
`;

function entryOf(request: PlannedRequest, isClockwork: boolean, all: readonly PlannedRequest[], protocol: Protocol): string {
  const { name, method, url, headers, body, nonce, token, credentials, checks } = request;
  const carried: Record<string, string> = {
    ...(nonce === undefined ? {} : { [protocol.headers.nonce]: textOf(nonce) }),
    ...(token === undefined ? {} : { [protocol.headers.token]: textOf(token) }),
  };
  const lines = Object.entries(headers)
    .filter(([key]) => key !== protocol.headers.authorization)
    .map(([key, value]) => `${key}: ${carried[key] ?? value}`);
  const user = {
    right: '{{user_id}}: {{paraphrase}}',
    'of nobody': '{{user_id}}7919: {{paraphrase}}',
    wrong: '{{user_id}}: {{paraphrase}}x',
  };
  const captures = capturesOf(request, all, protocol);
  const asserts = [...new Set([...checks.flatMap((check) => assertsOf(check, protocol)), ...ofKind(request, protocol)])];
  const shown = [...new Set(checks.map(({ requirement }) => requirement))];
  return [
    `# ${name}`,
    ...(shown.length === 0 ? [] : [`# checks ${shown.join(', ')}`]),
    `${method} ${url}`,
    ...lines,
    ...(isClockwork ? ['[Options]', 'skip: {{no_clock}}'] : []),
    ...(credentials === undefined ? [] : ['[BasicAuth]', user[credentials]]),
    ...(body === undefined ? [] : [body]),
    'HTTP *',
    ...(captures.length === 0 ? [] : ['[Captures]', ...captures]),
    ...(asserts.length === 0 ? [] : ['[Asserts]', ...asserts]),
    '',
  ].join('\n');
}

const nameOf = (id: string, changed = '') => `${id.replace(/[.-]/g, '_')}${changed === '' ? '' : `_${changed}`}`;

function textOf(value: Value): string {
  return 'madeUp' in value ? value.madeUp : `{{${nameOf(value.of, value.changed)}}}`;
}

/** What later requests take from this one, changed as they need it. */
function capturesOf({ id, checks }: PlannedRequest, all: readonly PlannedRequest[], { headers }: Protocol): string[] {
  const changes = {
    '': '',
    almost: ' replaceRegex /0$/ "!" replaceRegex /[^!]$/ "0" replaceRegex /!$/ "1"',
    cut: ' regex /^(.*).$/',
    longer: ' replaceRegex /$/ "0"',
  };
  const captures = all.flatMap(({ nonce, token, checks: others }) => [
    ...[nonce, token].flatMap((value, index) =>
      value !== undefined && 'of' in value && value.of === id
        ? [`${nameOf(id, value.changed)}: header "${index === 0 ? headers.nonce : headers.token}"${changes[value.changed ?? '']}`]
        : [],
    ),
    ...others.flatMap(({ requirement, compared }) =>
      compared === id && checks.length > 0
        ? [`${nameOf(id)}: header "${requirement.startsWith('exchange.') ? headers.token : headers.nonce}"`]
        : [],
    ),
  ]);
  return [...new Set(captures)];
}

const served = ['status >= 200', 'status < 300', 'bytes count > 0'];

/** What is asserted of a request that has no check of its own, or of a control: that it gets what it is sent for. */
function ofKind({ keeps, checks, step }: PlannedRequest, { headers, challenge, exchange }: Protocol): string[] {
  if (keeps === 'refusal') return ['status >= 300', `header "${headers.token}" not exists`];
  if (keeps === 'clock') return ['status == 200', 'jsonpath "$.now" exists'];
  if (checks.some(({ refusal }) => refusal === undefined)) return [];
  if (step === 'challenge') return [`status == ${challenge.status}`];
  return step === 'exchange' ? [`status == ${exchange.status}`, `header "${headers.token}" exists`] : served;
}

function assertsOf({ requirement, compared = '' }: PlannedCheck, protocol: Protocol): string[] {
  const { headers, challenge, exchange, link, mediaType, allowOrigin, datePattern } = protocol;
  const has = (name: string, rest: string) => [`header "${name}" ${rest}`];
  // Of several members Hurl makes a list, which equals no text.
  const oneMember = (body: Readonly<Record<string, string>>) =>
    Object.entries(body).flatMap(([key, text]) => ['$.*', `$['${key}']`].map((path) => `jsonpath "${path}" == ${JSON.stringify(text)}`));
  const table: Record<string, string[]> = {
    'challenge.status': [`status == ${challenge.status}`],
    'challenge.www-authenticate': has(
      headers.authenticate,
      `matches /(?i:${pattern(challenge.scheme)})[ ].*(?i:realm)="${pattern(challenge.realm)}"/`,
    ),
    'challenge.nonce': has(headers.nonce, 'exists'),
    'challenge.nonce-shape': has(headers.nonce, `matches ${regex(challenge.noncePattern)}`),
    'challenge.nonce-newly-issued': has(headers.nonce, `!= "{{${nameOf(compared)}}}"`),
    'challenge.body': oneMember(challenge.body),
    'exchange.status': [`status == ${exchange.status}`],
    'exchange.token': has(headers.token, 'exists'),
    'exchange.token-shape': has(headers.token, `matches ${regex(exchange.tokenPattern)}`),
    'exchange.token-unique': has(headers.token, `!= "{{${nameOf(compared)}}}"`),
    'exchange.body': oneMember(exchange.body),
    'headers.content-type': has(headers.contentType, `matches /^(?i:${pattern(mediaType)})[ ]*(;|$)/`),
    'headers.link': has(headers.link, `matches /<[^>]*${pattern(link.path.replace(/^\//, ''))}>[^<]*${pattern(link.relation)}/`),
    'headers.allow-origin': has(headers.allowOrigin, `== "${allowOrigin}"`),
    'headers.content-length': has(headers.contentLength, 'exists'),
    'headers.date': has(headers.date, 'exists'),
    'headers.date-format': has(headers.date, `matches ${regex(datePattern)}`),
    'jsonld.parses': ['jsonpath "$" exists'],
    'errors.status-keyed': ['status >= 400', 'jsonpath "$.*" isString'],
  };
  if (requirement.startsWith('protection.')) return [`status == ${challenge.status}`];
  return table[requirement] ?? served;
}

function pattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function regex({ source, flags }: RegExp): string {
  return `/${flags.includes('i') ? '(?i)' : ''}${source}/`;
}
