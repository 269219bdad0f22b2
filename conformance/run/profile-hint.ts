import { overlayLiterals, spec as ownSpec, type Spec } from '../../spec/index.js';
import { headerOfThatShape } from '../expect/index.js';
import type { Subject } from '../subject/index.js';
import { type Answer, fromTarget, headerValues } from '../wire/index.js';

type Values = Readonly<Partial<Record<keyof typeof overlayLiterals, string>>>;

/** A service with other names for its headers is judged with a profile, which is easily missed. */
export function noteOtherHeader({ facts, spec }: Subject, answer: Answer | undefined, what: 'nonce' | 'token'): void {
  const name = answer && headerOfThatShape(answer, spec.protocol);
  if (answer === undefined || name === undefined) return;
  const { authenticate, contentType } = spec.protocol.headers;
  const realm = /\brealm="([^"\\]+)"/i.exec(headerValues(answer, authenticate).join())?.[1];
  const mediaType = /^[^\s;,]+/.exec(headerValues(answer, contentType)[0] ?? '')?.[0];
  const seen = { [`${what}-header`]: name, ...(realm && { realm }), ...(mediaType && { 'media-type': mediaType }) };
  facts.hint = `${fromTarget(name)} looks like a ${what}. ${profileAdvice(spec, seen)}`;
}

/** How to judge a service that differs from the profile of the run in these values: without a profile, or with one that has all that differs from the source. */
function profileAdvice(spec: Spec, seen: Values): string {
  const usual = valuesOf(ownSpec);
  const isUsual = (option: string, value: string) => usual[option as keyof Values]?.toLowerCase() === value.toLowerCase();
  if (Object.entries(seen).every(([option, value]) => isUsual(option, value)))
    return 'The service answers as the protocol says without a profile: leave out --spec.';
  const words = Object.entries({ ...valuesOf(spec), ...seen })
    .filter(([option, value]) => !isUsual(option, value))
    .map(([option, value]) => `--${option} ${fromTarget(/^[\w./+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`)}`);
  return `Does your service use other header names? Then judge it with a profile: hydrauth export overlay ${words.join(' ')} > profile.yaml, then --spec profile.yaml (docs/profiles.md).`;
}

function valuesOf({ literals }: Spec): Values {
  const of = (name: string) => String(literals.find((each) => each.name === name)?.value);
  return Object.fromEntries(Object.entries(overlayLiterals).map(([option, name]) => [option, of(name)]));
}
