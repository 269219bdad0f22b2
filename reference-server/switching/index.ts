export { applyFixtures, type ServerFixture, type ServerFixtures } from './fixture.js';
export { chosenOf, Switchboard } from './switchboard.js';
export type { FixtureSwitches, SwitchState } from './switches.js';
export { type Trouble, type TroubleState, type TroubleSwitches, troubleChecks } from './troubles.js';
export { completing, integer, type Use, useChecks } from './use.js';
