import type { Spec } from '../../spec/index.js';
import { errorMessage, httpStatus, readMethods } from '../http.js';
import type { Clock } from './clock.js';
import { dateLine } from './date.js';
import type { Answer, Answers, HeaderLine } from './parts.js';

const preflightMethods = [...readMethods, 'POST', 'PUT', 'PATCH', 'DELETE'].join(', ');
const preflightSeconds = '600';

/** The answers of the three steps, word for word from the spec. */
export function makeAnswers(spec: Spec, clock: Clock): Answers {
  const { headers, challenge, exchange, errorKeyForm } = spec.protocol;
  const date = dateLine(spec, clock);
  const dateName = headers.date.toLowerCase();
  const length = (body: Buffer): HeaderLine => [headers.contentLength, String(body.length)];

  const challengeBody = Buffer.from(JSON.stringify(challenge.body));
  const challengeLines: readonly HeaderLine[] = [length(challengeBody), [headers.authenticate, challenge.authenticate]];
  const exchangeBody = Buffer.from(JSON.stringify(exchange.body));
  const exchangeLength = length(exchangeBody);
  const nothing = Buffer.alloc(0);
  const preflightLines: readonly HeaderLine[] = [
    length(nothing),
    ['Access-Control-Allow-Methods', preflightMethods],
    ['Access-Control-Allow-Headers', [headers.authorization, headers.nonce, headers.token].join(', ')],
    ['Access-Control-Max-Age', preflightSeconds],
  ];

  return {
    challenge: (nonce, { base }): Answer => ({
      status: challenge.status,
      headers: [...base.common, date(), ...challengeLines, [headers.nonce, nonce]],
      body: challengeBody,
    }),
    exchange: (token, { base }): Answer => ({
      status: exchange.status,
      headers: [...base.common, date(), exchangeLength, [headers.token, token]],
      body: exchangeBody,
    }),
    resource: (document, { base }): Answer => ({
      status: exchange.status,
      headers: [...base.common, date(), length(document)],
      body: document,
    }),
    preflight: ({ base }): Answer => ({ status: httpStatus.ok, headers: [...base.common, date(), ...preflightLines], body: nothing }),
    error(status, base, _parts, more = [], message = errorMessage(status)): Answer {
      const body = Buffer.from(JSON.stringify({ [errorKeyForm.replace('*', String(status))]: message }));
      return { status, headers: [...base.common, date(), length(body), ...more], body };
    },
    complete(to, { fields }) {
      const { link, 'content-type': type } = to;
      Object.assign(to, fields);
      to[dateName] = date()[1];
      if (type !== undefined) to['content-type'] = type;
      if (link !== undefined) to['link'] = `${link}, ${to['link']}`;
    },
  };
}
