import * as expect from '../expect/index.js';
import type { Role } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { answerLaw } from './answer-law.js';

const everyStep: readonly Role[] = ['challenge', 'exchange', 'use', 'unguarded'];

/** A service may believe a gateway that says under which address it is known. */
const saysItsAddress = ({ request }: Exchange) =>
  request.headers.some(([name]) => /^(host|forwarded|via|x-forwarded-.*|x-(original|rewrite)-url)$/i.test(name));

export const headers = [
  answerLaw('headers.content-type', everyStep, (answer, { subject }) => expect.contentType(answer, subject.protocol)),
  answerLaw('headers.link', everyStep, (answer, { subject, exchange }) =>
    saysItsAddress(exchange) ? undefined : expect.link(answer, subject.protocol, subject.baseUrl, exchange.request.target),
  ),
  answerLaw('headers.allow-origin', everyStep, (answer, { subject }) => expect.allowOrigin(answer, subject.protocol)),
  answerLaw('headers.content-length', everyStep, (_answer, { subject, exchange }) => expect.contentLength(exchange, subject.protocol)),
  answerLaw('headers.date', everyStep, (answer, { subject }) => expect.date(answer, subject.protocol)),
  answerLaw('headers.date-format', everyStep, (answer, { subject }) =>
    expect.date(answer, subject.protocol).ok ? expect.dateFormat(answer, subject.protocol) : undefined,
  ),
  answerLaw('headers.not-repeated', everyStep, (answer, { subject }) => expect.notRepeated(answer, subject.protocol)),
];
