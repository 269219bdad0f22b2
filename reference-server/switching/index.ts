export { applyFixtures, type ServerFixture, type ServerFixtures } from './fixture.js';
export { StandIns } from './stand-ins.js';
export { Switchboard } from './switchboard.js';
export { type FixtureSwitches, findFixture, type SwitchState } from './switches.js';
export { bringing, completing, type Use, useChecks } from './use.js';
