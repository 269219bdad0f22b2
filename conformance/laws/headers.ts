import * as expect from '../expect/index.js';
import type { Role } from '../subject/index.js';
import { answerLaw } from './answer-law.js';

const everyStep: readonly Role[] = ['challenge', 'exchange', 'use', 'unguarded'];

export const headers = [
  answerLaw('headers.content-type', everyStep, (answer, { subject }) => expect.contentType(answer, subject.protocol)),
  answerLaw('headers.link', everyStep, (answer, { subject, exchange }) =>
    expect.link(answer, subject.protocol, subject.baseUrl, exchange.request.target),
  ),
  answerLaw('headers.allow-origin', everyStep, (answer, { subject }) => expect.allowOrigin(answer, subject.protocol)),
  answerLaw('headers.content-length', everyStep, (_answer, { subject, exchange }) => expect.contentLength(exchange, subject.protocol)),
  answerLaw('headers.date', everyStep, (answer, { subject }) => expect.date(answer, subject.protocol)),
  answerLaw('headers.date-format', everyStep, (answer, { subject }) =>
    expect.date(answer, subject.protocol).ok ? expect.dateFormat(answer, subject.protocol) : undefined,
  ),
  answerLaw('headers.not-repeated', everyStep, (answer, { subject }) => expect.notRepeated(answer, subject.protocol)),
];
