export { normalised, requestUrl } from './addresses.js';
export { type AuthChallenge, parseAuthChallenges } from './auth-challenges.js';
export { allowOrigin, charset, contentLength, contentType, date, dateFormat, link, notRepeated } from './headers.js';
export { type JsonReading, parseJson } from './json.js';
export { bad, good, type Judgement } from './judgement.js';
export { type MediaType, parseMediaType } from './media-type.js';
export { authenticate, bodyMember, nonceOf, nonceShape, sameAsChallenge, statusKeyed, tokenOf, tokenShape } from './steps.js';
export { parseLinks, type WebLink } from './web-links.js';
