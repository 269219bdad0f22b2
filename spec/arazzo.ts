import { authenticatePattern, body, differs, everywhere, matches, notTheMessage, status } from './criteria.js';
import type { Protocol } from './protocol.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'header';
  readonly value: string;
}

/** The three steps as a workflow for any Arazzo runner, with the literals of this protocol. */
export function arazzoDocument(protocol: Protocol, version: string): object {
  const { headers, challenge, exchange } = protocol;
  const onCollection: Parameter = { name: 'collection_name', in: 'path', value: '$inputs.collection_name' };
  const nonce = `$response.header.${headers.nonce}`;
  const token = `$response.header.${headers.token}`;
  const withNonce = (step: string): Parameter[] => [
    { name: headers.nonce, in: 'header', value: `$steps.${step}.outputs.nonce` },
    { name: headers.authorization, in: 'header', value: '$inputs.authorization' },
  ];
  const withToken: Parameter = { name: headers.token, in: 'header', value: '$steps.exchange.outputs.token' };
  const challenged = [
    status(challenge.status),
    matches(`$response.header.${headers.authenticate}`, authenticatePattern(protocol)),
    matches(nonce, challenge.noncePattern.source),
    ...everywhere(protocol),
    ...body(challenge.body),
  ];
  const exchanged = [
    status(exchange.status),
    matches(token, exchange.tokenPattern.source),
    ...everywhere(protocol),
    ...body(exchange.body),
  ];
  const served = [status(exchange.status), ...everywhere(protocol), ...notTheMessage(exchange.body)];

  return {
    arazzo: '1.0.1',
    info: {
      title: 'Token authentication in three steps',
      version,
      summary: 'Challenge, exchange and token use, run against one collection and the vocabulary.',
      description:
        'Arazzo knows no base64 and no clock, so the caller gives the whole Authorization value, and expiry is left to the conformance suite. With Redocly: redocly respect auth.arazzo.yaml --server api=BASE_URL --input JSON, where JSON is an object with both inputs; its form name=value drops the padding of base64.',
    },
    sourceDescriptions: [{ name: 'api', type: 'openapi', url: './openapi.yaml' }],
    workflows: [
      {
        workflowId: 'authenticate',
        summary: 'Log in and read',
        description: 'Each step needs a service with authentication on and the user that the credentials name.',
        inputs: {
          type: 'object',
          required: ['collection_name', 'authorization'],
          properties: {
            collection_name: { type: 'string', minLength: 1, description: 'The name of a collection of the service.' },
            authorization: {
              type: 'string',
              format: 'password',
              description: `The value of the ${headers.authorization} header: "${challenge.scheme} ", then base64 of the user's id, a colon and the paraphrase.`,
            },
          },
        },
        steps: [
          {
            stepId: 'challenge',
            description: 'Step A. Without credentials the read is challenged.',
            operationId: 'readCollection',
            parameters: [onCollection],
            successCriteria: challenged,
            outputs: { nonce },
          },
          {
            stepId: 'challengeOnVocabulary',
            description: 'The vocabulary is protected like everything else; the nonce is another one.',
            operationId: 'readVocabulary',
            successCriteria: [...challenged, differs(nonce, '$steps.challenge.outputs.nonce')],
            outputs: { nonce },
          },
          {
            stepId: 'exchange',
            description: 'Step B. The nonce and the credentials are exchanged for a token.',
            operationId: 'readCollection',
            parameters: [onCollection, ...withNonce('challenge')],
            successCriteria: exchanged,
            outputs: { token },
          },
          {
            stepId: 'exchangeOnVocabulary',
            description: 'A second exchange gives another token, also while the first one lives.',
            operationId: 'readVocabulary',
            parameters: withNonce('challengeOnVocabulary'),
            successCriteria: [...exchanged, differs(token, '$steps.exchange.outputs.token')],
            outputs: { token },
          },
          {
            stepId: 'useOnCollection',
            description: 'Step C. The token alone opens the collection.',
            operationId: 'readCollection',
            parameters: [onCollection, withToken],
            successCriteria: served,
          },
          {
            stepId: 'useOnVocabulary',
            description: 'The same token opens every other endpoint too.',
            operationId: 'readVocabulary',
            parameters: [withToken],
            successCriteria: served,
          },
          {
            stepId: 'refusal',
            description: 'A login opens nothing to a request without a token.',
            operationId: 'readCollection',
            parameters: [onCollection],
            successCriteria: [...challenged, differs(nonce, '$steps.challenge.outputs.nonce')],
          },
        ],
        outputs: { nonce: '$steps.challenge.outputs.nonce', token: '$steps.exchange.outputs.token' },
      },
    ],
  };
}
