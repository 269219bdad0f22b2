export { applyFixtures, type ServerFixture, type ServerFixtures } from './fixture.js';
export { chosenOf, Switchboard } from './switchboard.js';
export type { FixtureSwitches, SwitchState } from './switches.js';
export { bringing, completing, type Use, useChecks } from './use.js';
