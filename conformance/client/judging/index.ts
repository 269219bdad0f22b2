export { ending, judges } from './judges.js';
export { observers } from './observers.js';
export { credentialsRow, ofUnknownOrigin, outputRule, pairRule, type Rule, rules } from './rules.js';
export { type Ruling, type Seen, unseeable, untested } from './ruling.js';
