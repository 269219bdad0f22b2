import { CallError, type Run } from './command.js';

export const run: Run = async () => {
  throw new CallError('this command is not there yet');
};
