import type { Spec } from '../spec/index.js';

interface User {
  readonly id: string;
  readonly paraphrase: string;
}

/** One happy flow for Newman, as somebody would click it together: three requests, a status test each. */
export function newmanFlow(url: string, { protocol }: Spec, user: User) {
  const { headers, challenge, exchange } = protocol;
  const keep = (variable: string, header: string) => `pm.collectionVariables.set('${variable}', pm.response.headers.get('${header}'));`;
  const item = (name: string, status: number, header: readonly (readonly [string, string])[], more: object = {}, script = '') => ({
    name,
    request: { method: 'GET', url: `${url}/books`, header: header.map(([key, value]) => ({ key, value })), ...more },
    event: [{ listen: 'test', script: { exec: [`pm.test('status', () => pm.response.to.have.status(${status}));`, script] } }],
  });
  const basic = [
    { key: 'username', value: user.id },
    { key: 'password', value: user.paraphrase },
  ];
  return {
    info: { name: 'One flow', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      item('A', challenge.status, [], {}, keep('nonce', headers.nonce)),
      item('B', exchange.status, [[headers.nonce, '{{nonce}}']], { auth: { type: 'basic', basic } }, keep('token', headers.token)),
      item('C', 200, [[headers.token, '{{token}}']]),
    ],
  };
}

/** StepCI's own placeholder. */
const captured = (name: string) => ['$', `{{captures.${name}}}`].join('');

export function stepciFlows(url: string, { protocol }: Spec, user: User, flows: number) {
  const { headers, challenge, exchange } = protocol;
  const http = (status: number, more: object) => ({ url: `${url}/books`, method: 'GET', check: { status }, ...more });
  const auth = { basic: { username: user.id, password: user.paraphrase } };
  const steps = [
    { name: 'A', http: http(challenge.status, { captures: { nonce: { header: headers.nonce.toLowerCase() } } }) },
    {
      name: 'B',
      http: http(exchange.status, {
        headers: { [headers.nonce]: captured('nonce') },
        auth,
        captures: { token: { header: headers.token.toLowerCase() } },
      }),
    },
    { name: 'C', http: http(200, { headers: { [headers.token]: captured('token') } }) },
  ];
  return { version: '1.1', name: 'Flows', tests: Object.fromEntries(Array.from({ length: flows }, (_, at) => [`flow${at}`, { steps }])) };
}

/** The three steps of the package's own Arazzo workflow, so many times over. */
export function respectFlows(spec: Spec, flows: number, openapi: string) {
  const source = spec.source.arazzo as { workflows: { workflowId: string; steps: { stepId: string }[] }[]; sourceDescriptions: object[] };
  const [workflow] = source.workflows;
  const steps = workflow?.steps.filter(({ stepId }) => ['challenge', 'exchange', 'useOnCollection'].includes(stepId));
  return {
    ...source,
    sourceDescriptions: source.sourceDescriptions.map((each) => ({ ...each, url: openapi })),
    workflows: Array.from({ length: flows }, (_, at) => ({ ...workflow, workflowId: `flow${at}`, steps })),
  };
}
