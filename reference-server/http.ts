/** What is HTTP's own and no literal of the protocol: statuses and request headers that the server reads. */
export const httpStatus = {
  ok: 200,
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  requestTimeout: 408,
  conflict: 409,
  tooLarge: 413,
  headersTooLarge: 431,
  failed: 500,
  unavailable: 503,
} as const;

const messages: Readonly<Record<number, string>> = {
  [httpStatus.badRequest]: 'The request cannot be understood',
  [httpStatus.notFound]: 'There is no resource at this address',
  [httpStatus.methodNotAllowed]: 'This resource can only be read, with GET or HEAD',
  [httpStatus.requestTimeout]: 'The request did not arrive in time',
  [httpStatus.tooLarge]: 'The body of the request is too large',
  [httpStatus.headersTooLarge]: 'The header of the request is too large',
  [httpStatus.failed]: 'The server failed to answer this request',
  [httpStatus.unavailable]: 'The store cannot be reached now; try again later',
};

export function errorMessage(status: number): string {
  return messages[status] ?? 'The request was refused';
}

export const readMethods: readonly string[] = ['GET', 'HEAD'];

/** How many lines of a request have this name, which is given in lower case. */
export function linesNamed(name: string, rawHeaders: readonly string[]): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at] as string;
    if (text.length === name.length && text.toLowerCase() === name) lines += 1;
  }
  return lines;
}
