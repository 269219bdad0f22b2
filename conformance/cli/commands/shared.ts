import type { Option } from '../command.js';

/** A reference server that is broken or different in one named thing. */
export const faultOrVariant: readonly Option[] = [
  { name: 'fault', value: 'ID', text: 'Break the server in one named thing.', not: ['variant'] },
  { name: 'variant', value: 'ID', text: 'Let the server differ in one thing that the protocol leaves open.' },
];
