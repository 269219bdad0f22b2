import type { PlannedCheck, PlannedRequest } from './request.js';

/** The requests that led to this one, itself last: what repeats it. */
export function leadingTo(requests: readonly PlannedRequest[], ...ids: string[]): PlannedRequest[] {
  return closure(requests, ids, (request) => request.after);
}

/** Everything that must be sent for these checks to be judged: what leads to them, brings about their needs, and is refused before them. */
export function neededFor(requests: readonly PlannedRequest[], wanted: (check: PlannedCheck) => boolean): PlannedRequest[] {
  const setter = new Map(requests.flatMap((request) => request.sets.map((state) => [state, request.id] as const)));
  const bringing = (request: PlannedRequest) => Object.keys(request.needs).flatMap((state) => setter.get(state) ?? []);
  const ids = requests.flatMap((request) => {
    const checks = request.checks.filter(wanted);
    return checks.length === 0
      ? []
      : [request.id, ...checks.flatMap(({ refusal, also }) => (refusal === undefined ? also : [refusal, ...also]))];
  });
  return closure(requests, ids, (request) => [...request.after, ...bringing(request)]);
}

function closure(
  requests: readonly PlannedRequest[],
  ids: readonly string[],
  next: (request: PlannedRequest) => readonly string[],
): PlannedRequest[] {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const found = new Set<string>();
  const visit = (id: string): void => {
    const request = byId.get(id);
    if (request === undefined || found.has(id)) return;
    found.add(id);
    next(request).forEach(visit);
  };
  ids.forEach(visit);
  return requests.filter(({ id }) => found.has(id));
}
