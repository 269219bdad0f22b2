/** As `engines` in package.json says. */
const least = [20, 19] as const;

/** Why this Node.js cannot run the command, if it cannot. Looked at before anything is loaded that an older one does not have. */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return undefined;
  return `Node.js ${least.join('.')} or later is needed; this is ${version}.`;
}
