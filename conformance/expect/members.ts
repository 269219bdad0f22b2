import type { Protocol } from '../../spec/index.js';

/** The value is an object with exactly this one member. */
export function isOneMember(value: unknown, wanted: Readonly<Record<string, string>>): boolean {
  const [key, message] = soleMember(value) ?? [];
  return key !== undefined && Object.hasOwn(wanted, key) && wanted[key] === message;
}

/** The value is an error body: one member, whose key is the status and whose value is a text. */
export function isKeyedByStatus(value: unknown, status: number, { errorKeyPattern }: Protocol): boolean {
  const [key, message] = soleMember(value) ?? [];
  return key === String(status) && errorKeyPattern.test(key) && typeof message === 'string';
}

/** The value is an error body for some status, whatever the answer's own: a refusal, even under a status of success. */
export function isErrorBody(value: unknown, { errorKeyPattern }: Protocol): boolean {
  const [key] = soleMember(value) ?? [];
  // Statuses from 400 on are errors (RFC 9110, section 15).
  return key !== undefined && errorKeyPattern.test(key) && Number(key) >= 400;
}

function soleMember(value: unknown): [key: string, value: unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  return members.length === 1 ? members[0] : undefined;
}
