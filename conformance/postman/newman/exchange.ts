import { type Answer, fromTarget, type HeaderLine, type RequestPlan, type WireProblem, type WireProblemCode } from '../../wire/index.js';

interface NewmanHeaders {
  all(): readonly { key: string; value: string; disabled?: boolean }[];
}

/** What is read of Newman's own objects. */
interface NewmanRequest {
  readonly method: string;
  readonly url: { getPathWithQuery(): string };
  readonly headers: NewmanHeaders;
  readonly body?: { toString(): string } | undefined;
}

interface NewmanResponse {
  readonly code: number;
  readonly status?: string;
  readonly headers: NewmanHeaders;
  readonly stream?: Buffer | undefined;
}

/** Newman's requests, answers and errors in the kit's own terms. */
export function requestPlan(request: NewmanRequest): RequestPlan {
  const body = request.body?.toString();
  return {
    method: request.method,
    target: request.url.getPathWithQuery(),
    headers: lines(request.headers),
    ...(body === undefined || body === '' ? {} : { body }),
  };
}

/** The collection has judged the whole body; its beginning is enough to show. */
const shownOctets = 64 * 1024;

export function answerOf(response: NewmanResponse): Answer {
  const octets = response.stream ?? Buffer.alloc(0);
  return {
    status: response.code,
    reason: response.status ?? '',
    // Newman does not tell the version, and speaks no other.
    httpVersion: '1.1',
    headers: lines(response.headers),
    body: Buffer.from(octets.subarray(0, shownOctets)),
    ...(octets.length > shownOctets ? { wholeOctets: octets.length } : {}),
  };
}

function lines(headers: NewmanHeaders): HeaderLine[] {
  return headers
    .all()
    .filter((header) => header.disabled !== true)
    .map(({ key, value }) => [key, String(value)]);
}

const codes: [RegExp, WireProblemCode, string][] = [
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/, 'unreachable', 'no connection could be made'],
  [/CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL|EPROTO/, 'certificate', 'the secure connection failed'],
  [/TIMEDOUT/, 'timeout', 'no whole answer came in time'],
  [/^HPE_HEADER_OVERFLOW$/, 'too-large', 'the head of the answer is too large'],
  [/^(HPE_|ERR_INVALID|Z_)/, 'malformed', 'the answer is not well-formed'],
];

export function wireProblem(error: { code?: string; message?: string }): WireProblem {
  const [, code, says] = codes.find(([pattern]) => pattern.test(error.code ?? '')) ?? [
    /./,
    'closed' as const,
    'the connection broke before the answer was whole',
  ];
  return { code, message: `${says} (${fromTarget(error.message ?? error.code ?? 'no reason given')})` };
}
