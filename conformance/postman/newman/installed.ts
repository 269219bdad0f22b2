import { createRequire } from 'node:module';

/** Newman is an optional dependency: `npm install --omit=optional` leaves it out, and most of what is installed with it. */
export function isNewmanInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('newman');
    return true;
  } catch {
    return false;
  }
}

export const howToGetNewman = 'npm install newman';
