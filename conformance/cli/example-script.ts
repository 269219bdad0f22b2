import type { Protocol, Step } from '../../spec/index.js';

const usesToken: readonly Step[] = ['token', 'expiry'];
const logsIn: readonly Step[] = ['exchange', ...usesToken];

/** What the requests of a step are; undefined where none belong to it. */
export function exampleTitle(step: Step): string | undefined {
  if (step === 'config') return undefined;
  if (step === 'off') return 'A read, with authentication switched off:';
  const steps = usesToken.includes(step) ? 'Steps A, B and C' : logsIn.includes(step) ? 'Steps A and B' : 'Step A';
  return `${steps}, when everything is right:`;
}

/** The requests of a step with curl, and below each what the protocol answers. */
export function exampleScript(step: Step, { headers, challenge, exchange, mediaType }: Protocol): string[] {
  const read = 'curl -i "$BASE_URL/$COLLECTION"';
  const answer = (status: number, lines: readonly string[], body: object) => [
    `#  ${status}`,
    ...[`${headers.contentType}: ${mediaType}`, ...lines].map((line) => `#  ${line}`),
    `#  ${JSON.stringify(body)}`,
  ];
  const challenged = answer(
    challenge.status,
    [`${headers.authenticate}: ${challenge.authenticate}`, `${headers.nonce}: <nonce>`],
    challenge.body,
  );
  const exchanged = answer(exchange.status, [`${headers.token}: <token>`], exchange.body);
  const login = `${read} -H "${headers.nonce}: <nonce>" -H "${headers.authorization}: ${challenge.scheme} $(printf %s "$ID:$PARAPHRASE" | base64 -w 0)"`;
  const served = [`${read} -H "${headers.token}: <token>"`, '#  200', `#  ${headers.contentType}: ${mediaType}`, '#  the collection'];
  const lines = [
    ...(step === 'off' ? [read, ...served.slice(1)] : [read, ...challenged]),
    ...(logsIn.includes(step) ? [login, ...exchanged] : []),
    ...(usesToken.includes(step) ? served : []),
  ];
  return lines.map((line) => `  ${line}`);
}
