/**
 * Newman is an optional dependency: `npm install --omit=optional` leaves it out, and most of what is installed with it. It is looked for as
 * `import` does: `require` would also find one in NODE_PATH or in a folder of the user, which then cannot be imported.
 */
export function isNewmanInstalled(): boolean {
  try {
    import.meta.resolve('newman');
    return true;
  } catch {
    return false;
  }
}

export const howToGetNewman = 'npm install newman';
