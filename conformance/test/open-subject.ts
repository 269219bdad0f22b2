import { onTestFinished } from 'vitest';
import { type Answer, type Incoming, type Parts, startReferenceServer } from '../../reference-server/index.js';
import { Allowance } from '../run/allowance.js';
import { validateOptions } from '../run/index.js';
import { type OpenTarget, openTarget } from '../run/target.js';
import { ada, bob } from './messages.js';

interface Script {
  /** Answers instead of the service, which otherwise keeps the protocol. */
  readonly answers?: (request: Incoming, parts: Parts) => Answer | undefined;
  readonly concurrency?: number;
  readonly clock?: string;
}

/** The reference server as a run opens it, with a clock that can be moved, until the end of the test. */
export async function openSubject({ answers = () => undefined, concurrency = 4, clock }: Script = {}): Promise<OpenTarget> {
  const users = [ada, bob].map(({ id, paraphrase }) => ({ id: Number(id), paraphrase }));
  const collections = ['things', 'people'];
  const server = await startReferenceServer({
    ...{ users, collections, clock: 'manual', recordLast: 0 },
    parts: ({ guard, ...others }) => ({
      ...others,
      guard: { ...guard, decide: async (request, parts) => answers(request, parts) ?? guard.decide(request, parts) },
    }),
  });
  const call = { baseUrl: server.url, collections, users, clock: clock ?? String(server.clockUrl), concurrency };
  const target = await openTarget(validateOptions(call), undefined, new Allowance(undefined, undefined, performance.now()), () => {});
  // As the first logins of a run find it.
  target.ableUsers.push(...target.users);
  target.facts.challengeStatus = 401;
  onTestFinished(async () => {
    await target.close();
    await server.close();
  });
  return target;
}
