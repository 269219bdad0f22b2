// Runs scripts of package.json side by side, shows what each said when it ends, and fails when one of them does.
import { spawn } from 'node:child_process';

for (const name of process.argv.slice(2)) {
  const child = spawn('npm', ['run', name], { shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part));
  child.on('close', (code) => {
    process.stdout.write(Buffer.concat(said));
    if (code !== 0) process.exitCode = 1;
  });
}
