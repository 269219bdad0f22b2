export { basic, looseBase64, looseIds, malformedAuthorizations, movedColon, nobodysParaphrases, wrongIds } from './credentials.js';
export {
  everyNearMissRecipe,
  everyPartChanged,
  lastCharacterChanged,
  type NearMiss,
  type NearMissRecipe,
  nearMiss,
  nearMissRecipe,
  oddOctet,
} from './near-miss.js';
export { everyWrongParaphrase, paraphraseMistake, wrongParaphrase } from './paraphrase.js';
export { guardedMethods, nameCase, nameCaseWords, unknownPath } from './requests.js';
export { shaped } from './shaped.js';
