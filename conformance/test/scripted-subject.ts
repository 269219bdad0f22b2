import { spec } from '../../spec/index.js';
import { createRedactor } from '../evidence/index.js';
import { Oracle, TargetTime } from '../oracle/index.js';
import { presentedBy } from '../oracle/presented.js';
import { Accounts, type Subject, Trial } from '../subject/index.js';
import type { Answer, RequestPlan, WireProblem } from '../wire/index.js';
import { ada, answer, bob, challenge, grant, protocol, refusal, resource } from './messages.js';

/** A service in memory that keeps the protocol. */
class TinyService {
  nowMs = 0;
  private issued = 0;
  private readonly nonces = new Set<string>();
  private readonly tokens = new Map<string, number>();

  answer(plan: RequestPlan): Answer {
    const whole = this.wholeAnswer(plan);
    return plan.method === 'HEAD' ? { ...whole, body: Buffer.alloc(0) } : whole;
  }

  private wholeAnswer(plan: RequestPlan): Answer {
    const { token, nonce, credentials } = presentedBy(plan, protocol, [ada, bob]);
    const issuedMs = token === undefined ? undefined : this.tokens.get(token);
    if (issuedMs !== undefined && this.nowMs - issuedMs < protocol.token.lifetimeMs) return resource;
    if (nonce === undefined && token === undefined) return this.challenge();
    if (nonce === undefined || credentials?.kind !== 'right' || !this.nonces.delete(nonce)) return refusal;
    const given = `${++this.issued}`.padStart(64, '0');
    this.tokens.set(given, this.nowMs);
    return grant(given);
  }

  private challenge(): Answer {
    const nonce = `00000000-0000-4000-8000-${`${++this.issued}`.padStart(12, '0')}`;
    this.nonces.add(nonce);
    return challenge(nonce);
  }
}

interface Script {
  /** Answers instead of the service, which `usual` asks. */
  readonly answers?: (plan: RequestPlan, usual: (plan?: RequestPlan) => Answer) => Answer | WireProblem | Promise<Answer | WireProblem>;
  readonly concurrency?: number;
}

export interface ScriptedSubject extends Subject {
  readonly sent: RequestPlan[];
}

/** A subject whose target is a script: no socket, no waiting, and a clock of our own that goes on with every request. */
export function scriptedSubject({ answers, concurrency = 4 }: Script = {}): ScriptedSubject {
  const service = new TinyService();
  const time = new TargetTime(false);
  const { nonce, token, authorization } = protocol.headers;
  const collections = ['things', 'people'] as const;
  const oracle = new Oracle({
    off: false,
    protocol,
    users: [ada, bob],
    toleranceMs: 1000,
    time,
    addresses: {
      host: 'localhost',
      basePath: '/api',
      collections,
      vocabulary: protocol.link.path,
      protocolHeaders: new Set([nonce, token, authorization].map((name) => name.toLowerCase())),
    },
  });
  let nowMs = 0;
  const subject: ScriptedSubject = {
    sent: [],
    spec,
    protocol,
    baseUrl: new URL('http://127.0.0.1:8080/api'),
    basePath: '/api',
    collections,
    users: [ada, bob],
    ableUsers: [ada, bob],
    provenUsers: new Map(),
    accounts: new Accounts(),
    answered: new Set(),
    spareNonces: [],
    client: {
      requests: 0,
      rateLimited: 0,
      depth: 0,
      pace: { perSecond: undefined, heldMs: 0 },
      served: undefined,
      unread: 0,
      rest() {},
      useFreshConnections() {},
      useOneConnection() {},
      close() {},
      async send(plan) {
        subject.sent.push(plan);
        const ticket = oracle.begin(plan);
        const sentAtMs = nowMs++;
        const came = await (answers?.(plan, (other = plan) => service.answer(other)) ?? service.answer(plan));
        const durationMs = nowMs++ - sentAtMs;
        const exchange = { request: plan, ...('code' in came ? { problem: came } : { answer: came }), sentAtMs, durationMs };
        oracle.end(ticket, exchange);
        return exchange;
      },
    },
    clock: {
      canMove: true,
      isInstant: true,
      seesItsMoves: true,
      description: 'a scripted clock',
      now: async () => service.nowMs,
      close: async () => {},
      async advance(ms) {
        const turn = async () => {
          service.nowMs += ms;
        };
        await time.move(ms, () => nowMs++, turn);
      },
    },
    oracle,
    expander: { expand: async () => ({ ok: false, judgeable: false, problem: 'not in this test' }) } as Subject['expander'],
    redactor: createRedactor(protocol),
    toleranceMs: 1000,
    concurrency,
    facts: { off: false, challengeStatus: 401 },
    firstSeen: new Map(),
    async sharedToken() {
      const trial = new Trial(subject);
      return { value: (await trial.login()).value, chain: trial.chain };
    },
    unusedId: () => '7000001',
    onExchange() {},
  };
  return subject;
}

export const serverError = answer(500);
