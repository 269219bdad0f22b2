import type { Spec } from '../../../spec/index.js';
import { challengeFolder } from './challenge.js';
import { exchangeFolder } from './exchange.js';
import { expiryFolder } from './expiry.js';
import { protectionFolder } from './protection.js';
import { halfExchangesFolder, wrongCredentialsFolder } from './refused-exchanges.js';
import { refusedTokensFolder } from './refused-tokens.js';
import { type PlannedFolder, type PlannedRequest, testName } from './request.js';
import { tokenFolder } from './token.js';

export { leadingTo, neededFor } from './dependencies.js';
export { stateOf } from './refusals.js';
export { type PlannedCheck, type PlannedFolder, type PlannedRequest, testName } from './request.js';

/** Every request of the collection, in the order in which it is sent. A plan that does not fit the catalogue throws. */
export function planned(spec: Spec): readonly PlannedFolder[] {
  const { protocol } = spec;
  const folders = [
    challengeFolder(protocol),
    exchangeFolder(protocol),
    tokenFolder(protocol),
    protectionFolder(protocol),
    refusedTokensFolder(protocol),
    halfExchangesFolder(protocol),
    wrongCredentialsFolder(protocol),
    expiryFolder(protocol),
  ];
  const requests = folders.flatMap((folder) => folder.requests);
  fitsTheCatalogue(spec, requests);
  isInOrder(requests);
  return folders;
}

/** The folder that moves the clock; everything else leaves it alone. */
export const clockFolder = 'expiry';

function fitsTheCatalogue({ catalogue }: Spec, requests: readonly PlannedRequest[]): void {
  const checks = requests.flatMap((request) => request.checks);
  const names = checks.map(testName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the Postman collection has two tests named ${twice}`);
  for (const { requirement } of checks) {
    if (!catalogue.requirement(requirement).engines.includes('postman'))
      throw new Error(`the Postman collection tests ${requirement}, but the catalogue does not name postman among its engines`);
  }
  const shown = new Set(checks.map((check) => check.requirement));
  const missing = catalogue.rows.find((row) => row.engines.includes('postman') && !shown.has(row.id));
  if (missing !== undefined) throw new Error(`the catalogue says that postman checks ${missing.id}, but no request of the collection does`);
}

function isInOrder(requests: readonly PlannedRequest[]): void {
  const seen = new Set<string>();
  for (const { id, after, checks } of requests) {
    if (seen.has(id)) throw new Error(`the Postman collection has two requests ${id}`);
    const unknown = [...after, ...checks.flatMap(({ refusal, also }) => (refusal === undefined ? also : [refusal, ...also]))].find(
      (each) => !seen.has(each),
    );
    if (unknown !== undefined)
      throw new Error(`the request ${id} of the Postman collection refers to ${unknown}, which does not come before it`);
    seen.add(id);
  }
}
