import type { Answer, Exchange, HeaderLine } from '../../wire/index.js';

export function answer(headers: readonly HeaderLine[] = [], body: string | Buffer = '', status = 200): Answer {
  return { status, reason: '', httpVersion: '1.1', headers, body: Buffer.from(body as string) };
}

export function exchange(got: Answer | undefined, method = 'GET', problem?: Exchange['problem']): Exchange {
  return {
    request: { method, target: '/api/drones', headers: [] },
    ...(got && { answer: got }),
    ...(problem && { problem }),
    sentAtMs: 0,
    durationMs: 1,
  };
}
