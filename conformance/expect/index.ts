export { type Resolve, requestUrl } from './addresses.js';
export { readBody, shownBody, textOf, unpacked } from './body.js';
export { parseLinks } from './grammar.js';
export {
  allowOrigin,
  contentLength,
  contentType,
  date,
  dateFormat,
  headerIs,
  link,
  linkFrom,
  mediaTypeOf,
  notRepeated,
  octetCount,
} from './headers.js';
export { parseJson } from './json.js';
export { createExpander, type Expander } from './jsonld.js';
export { bad, good, type Judgement, shown, shownOctets } from './judgement.js';
export { isErrorBody, isKeyedByStatus, isLimited, isOfGateway, isOneMember, keyOfStatus } from './members.js';
export {
  authenticate,
  headerOfThatShape,
  member,
  nonce,
  nonceOf,
  nonceShape,
  statusKeyed,
  token,
  tokenOf,
  tokenShape,
  tokenUnseparated,
} from './steps.js';
