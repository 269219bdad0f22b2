import { durationWords, overlayLiterals, spec as ownSpec, type Spec } from '../../spec/index.js';
import { headerOfThatShape } from '../expect/index.js';
import { isGranted } from '../oracle/index.js';
import { type Subject, Trial } from '../subject/index.js';
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

const minuteMs = 60_000;
const longestMs = 24 * 60 * minuteMs;

/** A service whose tokens live for another number of whole minutes is judged with a profile, too. Each age is tried with a token of its own, used once. */
export async function noteOtherLifetime(subject: Subject): Promise<void> {
  const { clock, facts, protocol, spec } = subject;
  const { lifetimeMs } = protocol.token;
  if (!clock.canMove || !clock.isInstant || facts.noUse !== undefined || facts.hint !== undefined) return;
  const isValidAt = async (ageMs: number) => {
    const trial = new Trial(subject);
    const token = await trial.login();
    await clock.advance(ageMs);
    return isGranted(await trial.use(token), protocol);
  };
  let [valid, ended] = [0, Math.max(longestMs, 2 * lifetimeMs) / minuteMs];
  if (await isValidAt(ended * minuteMs)) return;
  while (ended - valid > 1) {
    const middle = Math.floor((valid + ended) / 2);
    if (await isValidAt(middle * minuteMs)) valid = middle;
    else ended = middle;
  }
  const livesMs = ended * minuteMs;
  if (livesMs === lifetimeMs || !(await isValidAt(livesMs - minuteMs / 12))) return;
  facts.hint = `A token ended ${durationWords(livesMs)} after it was issued, not ${durationWords(lifetimeMs)}. ${profileAdvice(spec, { lifetime: `PT${ended}M` })}`;
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
  return `Is that meant? Then judge the service with a profile: hydrauth export overlay ${words.join(' ')} > profile.yaml, then --spec profile.yaml (docs/profiles.md).`;
}

function valuesOf({ literals }: Spec): Values {
  const of = (name: string) => String(literals.find((each) => each.name === name)?.value);
  return Object.fromEntries(Object.entries(overlayLiterals).map(([option, name]) => [option, of(name)]));
}
