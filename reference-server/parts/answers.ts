import { STATUS_CODES } from 'node:http';
import { type Spec, SpecError, specFiles } from '../../spec/index.js';
import { errorMessage, httpStatus, readMethods } from '../http.js';
import type { Clock } from './clock.js';
import type { Answer, Answers, Base, HeaderLine, Incoming, PartsContext, Wire } from './parts.js';

const preflightMethods = [...readMethods, 'POST', 'PUT', 'PATCH', 'DELETE'].join(', ');
const preflightSeconds = '600';

/** The answers of the three steps, word for word from the spec. */
export function makeAnswers({ spec, clock }: PartsContext): Answers {
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
  const answer = (status: number, { common }: Base, body: Buffer, ...lines: HeaderLine[]): Answer => ({
    status,
    headers: [...common, date(), ...lines],
    body,
  });

  return {
    challenge: (nonce, { base }) => answer(challenge.status, base, challengeBody, ...challengeLines, [headers.nonce, nonce]),
    exchange: (token, { base }) => answer(exchange.status, base, exchangeBody, exchangeLength, [headers.token, token]),
    resource: (document, { base }) => answer(exchange.status, base, document, length(document)),
    preflight: ({ base }) => answer(httpStatus.ok, base, nothing, ...preflightLines),
    error(status, base, _parts, more = [], message = errorMessage(status)) {
      const body = Buffer.from(JSON.stringify({ [errorKeyForm.replace('*', String(status))]: message }));
      return answer(status, base, body, length(body), ...more);
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

const formats: readonly ((date: Date) => string)[] = [
  (date) => date.toUTCString(),
  (date) => date.toISOString(),
  (date) => date.toISOString().replace(/\.\d+Z$/, 'Z'),
  (date) => date.toISOString().slice(0, 10),
  (date) => String(Math.floor(date.getTime() / 1000)),
];

/** The date line of an answer, on the server's clock, in the first format that the spec's pattern accepts. */
function dateLine(spec: Spec, clock: Clock): () => HeaderLine {
  const { datePattern, headers } = spec.protocol;
  const format = formats.find((each) => datePattern.test(each(new Date(clock.now()))));
  if (format === undefined)
    throw new SpecError(
      specFiles.openapi,
      '/components/headers/Date/schema/pattern',
      `no date can be written in the shape ${datePattern.source}; that of RFC 9110, of ISO 8601 or seconds are expected`,
    );
  let [atSecond, line]: [number, HeaderLine] = [Number.NaN, [headers.date, '']];
  return () => {
    const second = Math.floor(clock.now() / 1000);
    if (second !== atSecond) [atSecond, line] = [second, [headers.date, format(new Date(second * 1000))]];
    return line;
  };
}

export const plainWire: Wire = {
  send({ body }, { raw: { res } }) {
    res.end(body.toString('latin1'), 'latin1'); // Node joins head and body to one piece where both are text
  },
  reject(answer, socket) {
    socket.end(octetsOf(answer));
  },
};

/** A whole answer as it stands on the wire, the last one of its connection. */
export function octetsOf({ status, reason, headers, body }: Answer): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${reason ?? STATUS_CODES[status] ?? 'Unknown'}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The answers, each changed by one function before it is sent. The request is missing where there was none to read. */
export function everyAnswer(
  answers: Answers,
  change: (answer: Answer, about: { readonly base: Base; readonly request?: Incoming }) => Answer,
): Answers {
  return {
    challenge: (nonce, request, parts) => change(answers.challenge(nonce, request, parts), { base: request.base, request }),
    exchange: (token, request, parts) => change(answers.exchange(token, request, parts), { base: request.base, request }),
    resource: (document, request, parts) => change(answers.resource(document, request, parts), { base: request.base, request }),
    preflight: (request, parts) => change(answers.preflight(request, parts), { base: request.base, request }),
    error: (status, base, parts, more, message) => change(answers.error(status, base, parts, more, message), { base }),
    complete: answers.complete,
  };
}

const isCalled = ([name]: HeaderLine, wanted: string) => name.toLowerCase() === wanted.toLowerCase();

export function withoutHeader(answer: Answer, name: string): Answer {
  return { ...answer, headers: answer.headers.filter((line) => !isCalled(line, name)) };
}

/** Adds a line, also beside one of the same name. */
export function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: [...answer.headers, [name, value]] };
}

export function mapHeader(answer: Answer, name: string, change: (value: string) => string): Answer {
  return { ...answer, headers: answer.headers.map((line): HeaderLine => (isCalled(line, name) ? [line[0], change(line[1])] : line)) };
}

export function renameHeader(answer: Answer, name: string, to: string): Answer {
  return { ...answer, headers: answer.headers.map((line): HeaderLine => (isCalled(line, name) ? [to, line[1]] : line)) };
}

/** Another body, with the line that gives its length, where there is one, in step. */
export function withBody(answer: Answer, body: Buffer | string, lengthName: string): Answer {
  const octets = typeof body === 'string' ? Buffer.from(body) : body;
  return { ...mapHeader(answer, lengthName, () => String(octets.length)), body: octets };
}
