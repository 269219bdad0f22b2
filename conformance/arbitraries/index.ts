export { basic, looseBase64, looseIds, malformedAuthorizations, movedColon, nobodysParaphrases, wrongIds } from './credentials.js';
export {
  everyNearMissRecipe,
  everyPartChanged,
  lastCharacterChanged,
  type NearMiss,
  type NearMissRecipe,
  nearMiss,
  nearMissRecipe,
  oddTexts,
} from './near-miss.js';
export { wrongParaphrases } from './paraphrase.js';
export { nameCase, nameCaseWords, shaped, unknownPath } from './requests.js';
