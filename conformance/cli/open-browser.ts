import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** The program that opens an address as the user likes it, by operating system. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in a browser: in the one that BROWSER names, or in the usual one. False when there is no program for it.
 * Other accounts of the machine can read the address in the list of processes, so what it holds must be good for one use only.
 */
export async function openInBrowser(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
