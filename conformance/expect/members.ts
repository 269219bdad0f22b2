import type { Protocol } from '../../spec/index.js';

/** The value is an object with exactly this one member. */
export function isOneMember(value: unknown, wanted: Readonly<Record<string, string>>): boolean {
  const [key, message] = soleMember(value) ?? [];
  return key !== undefined && Object.hasOwn(wanted, key) && wanted[key] === message;
}

/** The value is an error body: one member, whose key is the status and whose value is a text. */
export function isKeyedByStatus(value: unknown, status: number, protocol: Protocol): boolean {
  const [key, message] = soleMember(value) ?? [];
  return key === keyOfStatus(status, protocol) && typeof message === 'string';
}

/** The key of an error body of this status. */
export function keyOfStatus(status: number | string, { errorKeyForm }: Protocol): string {
  return errorKeyForm.replace('*', String(status));
}

/** The value is an error body for some status, whatever the answer's own: a refusal, even under a status of success. */
export function isErrorBody(value: unknown, protocol: Protocol): boolean {
  const [key] = soleMember(value) ?? [];
  if (key === undefined || isOneMember(value, protocol.exchange.body)) return false;
  if (isOneMember(value, protocol.challenge.body)) return true;
  // Statuses from 400 on are errors (RFC 9110, section 15).
  const [status = ''] = /[45][0-9]{2}/.exec(key) ?? [];
  return key === keyOfStatus(status, protocol);
}

function soleMember(value: unknown): [key: string, value: unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  return members.length === 1 ? members[0] : undefined;
}

const limits = new Set([423, 429, 503]);

/** Slowing down and locking accounts are not shown by the source: neither a violation nor a proper refusal. */
export function isLimited(answer: { readonly status: number }): boolean {
  return limits.has(answer.status);
}

/** How those who stand between a client and a service say that they cannot reach it; 52x are those of Cloudflare. */
export function isOfGateway(answer: { readonly status: number } | undefined): boolean {
  const status = answer?.status ?? 0;
  return status === 502 || status === 504 || (status >= 520 && status <= 530);
}
