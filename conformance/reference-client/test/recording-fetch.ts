/** A request as it was sent, and how it was answered. */
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
  readonly carries: string;
  readonly status: number;
}

export type SentList = Sent[] & { onExchange?: () => void };

const secrets = [
  ['x-authentication', 'nonce'],
  ['authorization', 'credentials'],
  ['x-authorization', 'token'],
] as const;

/** A fetch that remembers what it sent. */
export function recordingFetch(): { readonly fetch: typeof fetch; readonly sent: SentList } {
  const sent: SentList = [];
  return {
    sent,
    async fetch(input, init) {
      const copy = new Request(input, { ...init, signal: null });
      const carries = secrets.filter(([name]) => copy.headers.has(name)).map(([, word]) => word);
      if (carries.includes('credentials')) sent.onExchange?.();
      const answer = await fetch(input, init);
      const body = await copy.text();
      sent.push({
        url: copy.url,
        method: copy.method,
        headers: copy.headers,
        body,
        carries: carries.join(' and ') || 'nothing',
        status: answer.status,
      });
      return answer;
    },
  };
}
