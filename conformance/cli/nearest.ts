// biome-ignore lint/style/noRestrictedImports: the index of spec/ would load the whole spec before a call is parsed.
export { didYouMean, nearest, nearWords } from '../../spec/nearest.js';
