import type { Protocol, Spec } from '../../../spec/index.js';
import { clockFolder, refusalFolders } from './refusals.js';
import type { Check, Folder, Keeps, Row } from './row.js';
import { stepFolders } from './steps.js';

export { clockFolder } from './refusals.js';
export type { Folder, Keeps, Value } from './row.js';

export interface PlannedCheck extends Check {
  /** Its requirement and what it shows, in letters that need no quoting. */
  readonly id: string;
  /** The name of the test, in Postman as in the report. */
  readonly name: string;
}

/** One request of the collection, complete. */
export interface PlannedRequest extends Omit<Row, 'needs'> {
  /** The step whose answer it must get. */
  readonly step: 'challenge' | 'exchange' | 'served';
  readonly shows: string;
  readonly method: string;
  readonly to: NonNullable<Row['to']>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Requests that led to this one, by id: what is needed to repeat it. */
  readonly after: readonly string[];
  /** Earlier requests, or the variable of the clock, without which it is skipped, each with the reason to give. */
  readonly needs: readonly { readonly of: string; readonly keeps?: Keeps; readonly reason: string }[];
  readonly checks: readonly PlannedCheck[];
}

/** What the script before a request, and the one after it, are told of it. */
export type Sandboxed = Pick<
  PlannedRequest,
  'id' | 'step' | 'nonce' | 'credentials' | 'token' | 'keeps' | 'advanceMs' | 'needs' | 'checks'
>;

const reasons: Partial<Record<Keeps, string>> = {
  nonce: 'the challenge before it gave no nonce',
  token: 'the login before it gave no token',
  clock: 'the clock was not moved',
};
const shown: Partial<Record<Keeps, string>> = {
  nonce: 'Arranges the next request.',
  token: 'Arranges the requests after it.',
  refusal: 'To be refused; the control after it tells the verdict.',
};
const noClock = { of: 'clock_url', reason: 'the variable clock_url is not set; expiry needs a clock' };

/** Every request of the collection, in the order in which it is sent. A plan that does not fit the catalogue throws. */
export function planned(spec: Spec): readonly Folder<PlannedRequest>[] {
  const rows = new Map<string, Row>();
  const complete = (row: Row, folder: Folder, index: number): PlannedRequest => {
    const { checks = [], nonce, credentials, token, advanceMs, to = 'collection' } = row;
    const taken = [nonce, token].flatMap((value) => (value !== undefined && 'of' in value ? [value.of] : []));
    const leading = [...new Set([...taken, ...(row.after ?? [])])];
    const needs = [...new Set([...(row.needs ?? []), ...leading])].map((id) => {
      const { keeps, otherwise } = rows.get(id) ?? {};
      if (keeps === undefined)
        throw new Error(`the request ${row.id} of the Postman collection needs ${id}, which keeps nothing before it`);
      return { of: id, keeps, reason: otherwise ?? reasons[keeps] ?? '' };
    });
    rows.set(row.id, row);
    return {
      ...row,
      step: token !== undefined ? 'served' : credentials !== undefined ? 'exchange' : 'challenge',
      checks: checks.map((check) => ({ ...check, id: checkId(check), name: `${check.requirement}: ${check.what}` })),
      name: `${folder.letter}${index + 1} ${row.name}`,
      shows: row.shows ?? shown[row.keeps ?? 'served'] ?? 'The accepted control of what was refused before it.',
      method: row.method ?? (advanceMs === undefined ? 'GET' : 'POST'),
      to,
      url: `${addresses(spec.protocol)[to]}${row.query ?? ''}`,
      headers: headersOf(row, spec.protocol),
      ...(advanceMs === undefined ? {} : { body: JSON.stringify({ advanceMs }) }),
      after: [...leading, ...(row.behind ?? [])],
      needs: folder.id === clockFolder ? [noClock, ...needs] : needs,
    };
  };
  const folders = [...stepFolders(spec.protocol), ...refusalFolders(spec.protocol)];
  const all = folders.map((folder) => ({ ...folder, requests: folder.requests.map((row, index) => complete(row, folder, index)) }));
  fitsTheCatalogue(spec, new Set(all.flatMap(({ requests }) => requests.flatMap(({ checks }) => checks.map((each) => each.requirement)))));
  return all;
}

function checkId({ requirement, what }: Check): string {
  const slug = what.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${requirement}:${slug.replace(/^-|-$/g, '')}`;
}

const addresses = ({ link }: Protocol) => ({
  collection: '{{base_url}}/{{collection}}',
  vocabulary: `{{base_url}}${link.path}`,
  nowhere: '{{base_url}}/hydrauth-no-such-path',
  clock: '{{clock_url}}',
});

/** The script before the request sets what it carries. */
function headersOf({ nonce, credentials, token, headers, advanceMs }: Row, protocol: Protocol): Record<string, string> {
  const names = protocol.headers;
  return {
    ...(nonce === undefined ? {} : { [names.nonce]: '{{hydrauth_nonce}}' }),
    ...(credentials === undefined ? {} : { [names.authorization]: `${protocol.challenge.scheme} {{hydrauth_credentials}}` }),
    ...(token === undefined ? {} : { [names.token]: '{{hydrauth_token}}' }),
    ...(advanceMs === undefined ? {} : { [names.contentType]: 'application/json' }),
    ...headers,
  };
}

function fitsTheCatalogue({ catalogue }: Spec, tested: ReadonlySet<string>): void {
  const odd = [...tested].find((id) => !catalogue.requirement(id).engines.includes('postman'));
  if (odd !== undefined) throw new Error(`the Postman collection tests ${odd}, but the catalogue does not name postman among its engines`);
  const missing = catalogue.rows.find((row) => row.engines.includes('postman') && !tested.has(row.id));
  if (missing !== undefined) throw new Error(`the catalogue says that postman checks ${missing.id}, but no request of the collection does`);
}

/** The requests that led to these, themselves last: what repeats them. */
export function leadingTo(requests: readonly PlannedRequest[], ids: readonly string[]): PlannedRequest[] {
  return closure(requests, ids, ({ after }) => after);
}

/** Everything that must be sent for these checks to be judged: what leads to them, brings about their needs, and is refused before them. */
export function neededFor(requests: readonly PlannedRequest[], wanted: (check: PlannedCheck) => boolean): PlannedRequest[] {
  const ids = requests.flatMap(({ id, checks }) =>
    checks.filter(wanted).flatMap(({ refusal = id, compared = id }) => [id, refusal, compared]),
  );
  return closure(requests, ids, ({ needs, after }) => [...needs.map(({ of }) => of), ...after]);
}

type Next = (request: PlannedRequest) => readonly string[];

function closure(requests: readonly PlannedRequest[], ids: readonly string[], next: Next): PlannedRequest[] {
  const found = new Set(ids);
  // Requests refer to earlier ones only.
  for (const request of requests.toReversed()) if (found.has(request.id)) for (const id of next(request)) found.add(id);
  return requests.filter(({ id }) => found.has(id));
}
