export type { LiveFacts } from './facts.js';
export { makePage, type PageFile, type PageGiven } from './page.js';
