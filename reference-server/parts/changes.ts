import type { Answer, Answers, Base, HeaderLine, Incoming } from './parts.js';

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

const same = (name: string) => {
  const wanted = name.toLowerCase();
  return ([other]: HeaderLine) => other.toLowerCase() === wanted;
};

export function withoutHeader(answer: Answer, name: string): Answer {
  const is = same(name);
  return { ...answer, headers: answer.headers.filter((line) => !is(line)) };
}

/** Adds a line, also beside one of the same name. */
export function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: [...answer.headers, [name, value]] };
}

/** Changes the value of a header in its place. */
export function mapHeader(answer: Answer, name: string, change: (value: string) => string): Answer {
  const is = same(name);
  return { ...answer, headers: answer.headers.map((line): HeaderLine => (is(line) ? [line[0], change(line[1])] : line)) };
}

export function renameHeader(answer: Answer, name: string, to: string): Answer {
  const is = same(name);
  return { ...answer, headers: answer.headers.map((line): HeaderLine => (is(line) ? [to, line[1]] : line)) };
}

/** Another body, with the line that gives its length, where there is one, in step. */
export function withBody(answer: Answer, body: Buffer | string, lengthName: string): Answer {
  const octets = typeof body === 'string' ? Buffer.from(body) : body;
  return { ...mapHeader(answer, lengthName, () => String(octets.length)), body: octets };
}
