import { history } from '../../conformance/history/index.js';
import { answerLaws, laws, traffic } from '../../conformance/laws/index.js';
import { observers } from '../../conformance/observe/index.js';

/** Requirements with laws that run one after another: histories, wrong credentials and whatever moves the clock. */
export function lateSteps(): string[] {
  const isLate = ({ phase }: { readonly phase: string }) => phase !== 'plain';
  const lateRoles = traffic.filter(isLate).map(({ role }) => role);
  const late = [
    ...[...laws, history, ...observers].filter(isLate),
    ...answerLaws.filter(({ roles }) => roles.every((role) => lateRoles.includes(role))),
  ];
  return [...new Set(late.map(({ requirement }) => requirement))];
}
