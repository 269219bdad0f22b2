import type { Answer, Exchange } from '../wire/exchange.js';
import type { Role } from './role.js';
import type { Subject } from './subject.js';
import { giftOf, isLimited } from './verdicts.js';

/** Whether the answer is the message that its role calls for, so that its details can be judged. */
export function isMessageOf(role: Role, exchange: Exchange, subject: Subject): exchange is Exchange & { answer: Answer } {
  const { answer } = exchange;
  if (answer === undefined || isLimited(answer)) return false;
  const gift = giftOf(answer, subject.protocol);
  switch (role) {
    case 'challenge':
      return gift === 'nothing' && (subject.facts.challengeStatus === undefined || answer.status === subject.facts.challengeStatus);
    case 'exchange':
      return gift !== 'nothing';
    case 'use':
    case 'unguarded':
      return gift === 'served';
    default:
      return gift === 'nothing';
  }
}
