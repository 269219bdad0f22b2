import { count } from '../../spec/index.js';
import { fromTarget } from '../wire/index.js';
import { requestWords } from './endings.js';
import type { OpenTarget } from './target.js';

/** Code that throws drops a connection; plain servers drop those that come beside others. */
export function dropAdvice({ dropped, concurrency }: OpenTarget): string {
  if (dropped === 0) return '';
  const beside = concurrency === 1 ? '' : '; if there are none, the server may drop connections under load: try --concurrency 1';
  return ` Look for exceptions in the log of the service${beside}.`;
}

export function remarksOf(target: OpenTarget): string[] {
  const { hint } = target.facts;
  const remarks: string[] = hint === undefined ? [] : [hint];
  if (target.dropped > 0 && target.gone === undefined)
    remarks.push(`Connections closed without an answer: ${target.dropped}.${dropAdvice(target)}`);
  // One that was left waiting for another connection to close is told below.
  const { late } = target;
  if (late !== undefined && target.gone === undefined && target.facts.oneConnection === undefined)
    remarks.push(
      `${count(late.times, 'request')} got no whole answer in time, which slows the run down. The simplest of them was ${requestWords(late.plainest)}.`,
    );
  if (target.facts.oneConnection !== undefined) remarks.push(target.facts.oneConnection);
  if (target.facts.connectionsRemember !== undefined) remarks.push(target.facts.connectionsRemember);
  const { served, unread } = target.client;
  if (unread > 0)
    remarks.push(
      `${count(unread, 'request')} on kept connections got a 400 that closed the connection, and were sent again on new ones. A server or proxy seems to have misread the previous request on the connection. Only the second answer counts.`,
    );
  if (served !== undefined)
    remarks.push(`The server answered on ${count(served, 'connection')} at a time and kept further ones waiting, so no more were opened.`);
  if (target.facts.oneAtATime !== undefined) remarks.push(target.facts.oneAtATime);
  const { perSecond } = target.client.pace;
  if (perSecond !== undefined)
    remarks.push(`At the end ${Math.round(perSecond)} requests per second were sent, as many as the server or --rate allows.`);
  for (const [request, location] of [...target.redirects].slice(0, 3))
    remarks.push(`${fromTarget(request)} was answered with a redirect to ${fromTarget(location)}. Redirects are never followed.`);
  if (target.redirects.size > 3) remarks.push(`${target.redirects.size - 3} more requests were answered with redirects.`);
  return remarks;
}
