import type { HarFile } from '../recording/index.js';

/** What an entry shows of its own wholeness. */
interface Noted {
  readonly har: HarFile;
  readonly carries: { readonly token: boolean; readonly nonce: boolean; readonly authorization: boolean };
  readonly isHidden: boolean;
  /** The values of the header of the nonce, and of that of the token. */
  readonly values: { readonly nonce: readonly string[]; readonly token: readonly string[] };
  readonly grant: string;
  readonly given: readonly string[];
  readonly grantedTo?: object;
  readonly status: number;
}

/** Why nobody can tell what a request carried, or who answered it. */
export type Unclear = 'stripped' | 'hidden' | 'gateway';

export const unclearWords: Readonly<Record<Unclear, string>> = {
  stripped:
    'the file carries no Authorization header, or no nonce and no token: saved without sensitive data? In Chromium choose "Export HAR (with sensitive data)"',
  hidden: 'nonces, tokens or credentials in the file were replaced or left empty; save it without redaction',
  gateway: 'a gateway answered (502, 504), and not the service',
};

/** What is put in the place of secrets: nothing, a word, or a row of the same sign. */
const standsForSecret =
  /^\s*$|(?<![a-z0-9])(redacted|masked|hidden|removed|filtered|saniti[sz]ed|scrubbed|censored|omitted)(?![a-z0-9])|\*{3}|•{3}|█|…|\.{3}|^(\w+ )?[x\W]{3,}$/i;
export const isStandIn = (value: string): boolean => standsForSecret.test(value);

/** How those who stand between a client and a service say that they cannot reach it; 52x are those of Cloudflare. */
const isOfGateway = (status: number) => status === 502 || status === 504 || (status >= 520 && status <= 530);

/** What stands nowhere in a file may have been left out of it. Our own recordings are whole. */
export function unclearIn(all: readonly Noted[]): (each: Noted) => Unclear | undefined {
  const filesWith = (is: (each: Noted) => boolean) => new Set(all.filter(is).map(({ har }) => har));
  const authorized = filesWith(({ carries, isHidden }) => carries.authorization && !isHidden);
  const answered = filesWith(({ given }) => given.length > 0);
  const opened = filesWith(({ carries, grant }) => carries.authorization && grant === 'token');
  const tokens = filesWith(({ har, carries }) => carries.token || opened.has(har));
  // What stands for a nonce and for a token alike is neither.
  const nonces = new Set(all.flatMap(({ values }) => values.nonce));
  const both = new Set(all.flatMap(({ values }) => values.token.filter((each) => nonces.has(each))));
  const isReplaced = ({ values }: Noted) => [...values.nonce, ...values.token].some((each) => both.has(each));
  const readable = filesWith(({ grantedTo }) => grantedTo !== undefined);
  return (noted) => {
    const { har, carries, grant, status } = noted;
    const isHidden = noted.isHidden || isReplaced(noted);
    if (isOfGateway(status)) return 'gateway';
    if (har.own !== undefined) return undefined;
    // Credentials that opened and that nobody can read were replaced, and with them all others.
    if (isHidden || (carries.authorization && opened.has(har) && !readable.has(har))) return 'hidden';
    if (carries.token) return undefined;
    // Who brings neither nonce nor token must not be served, whatever else was sent.
    const isWhole = !carries.nonce && grant === 'served' ? tokens.has(har) : authorized.has(har) && answered.has(har);
    return isWhole ? undefined : 'stripped';
  };
}
