export { chosenOf, Switchboard } from './switchboard.js';
export { applyFixtures, type FixtureSwitches, type ServerFixture, type ServerFixtures } from './switches.js';
export { type TroubleSwitches, troubleChecks } from './troubles.js';
export { integer, useChecker, useChecks } from './use.js';
