import { execFile } from 'node:child_process';

const lookEveryMs = 500;

/**
 * Calls back when the process that started this one is gone, or the one before it: npx starts a command through a shell, and ends
 * neither when it is ended itself.
 */
export function whenParentEnds(self: { readonly ppid: number; kill(pid: number, signal: 0): unknown }, ended: () => void): void {
  const parent = self.ppid;
  let grandparent: number | undefined;
  execFile('ps', ['-o', 'ppid=', '-p', String(parent)], (_, text) => {
    grandparent = Number(text.trim()) || undefined;
  });
  const isAlive = (pid: number) => {
    try {
      self.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  };
  const timer = setInterval(() => {
    if (self.ppid === parent && (grandparent === undefined || isAlive(grandparent))) return;
    clearInterval(timer);
    ended();
  }, lookEveryMs).unref();
}
