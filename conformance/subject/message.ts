import { isLimited } from '../expect/index.js';
import { grantOf } from '../oracle/index.js';
import type { Answer, Exchange } from '../wire/index.js';
import type { Role } from './role.js';
import type { Looked } from './subject.js';

/** Whether the answer is the message that its role calls for, so that its details can be judged. */
export function isMessageOf(
  role: Role,
  exchange: Exchange,
  subject: Pick<Looked, 'protocol' | 'facts'>,
): exchange is Exchange & { answer: Answer } {
  const { answer } = exchange;
  // These come only where the request asked for less than the message.
  if (answer === undefined || isLimited(answer) || answer.status === 304 || answer.status === 206) return false;
  // A refusal that holds the resource has the details of one all the same.
  const grant = answer.discloses === true ? 'nothing' : grantOf(answer, subject.protocol);
  switch (role) {
    case 'challenge':
      return grant === 'nothing' && (subject.facts.challengeStatus === undefined || answer.status === subject.facts.challengeStatus);
    case 'exchange':
      return grant !== 'nothing';
    case 'use':
    case 'unguarded':
      return grant === 'served';
    default:
      return grant === 'nothing';
  }
}
