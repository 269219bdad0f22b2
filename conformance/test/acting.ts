import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { packageFile } from '../../spec/index.js';
import { scratch } from '../../spec/test/scratch.js';
import { command, isBuilt } from './command.js';

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export const actionFile = parse(readFileSync(packageFile('action.yml'), 'utf8')) as ActionFile;

export interface Acted {
  readonly code: number | null;
  readonly text: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Files in the folder in which the step ran. */
  readonly folder: string;
}

/** A folder with a blank in its name. */
function named(name: string): string {
  const folder = join(scratch(), name);
  mkdirSync(folder);
  return folder;
}

/** The action as checked out, with a build that leads to the one here, or to the sources. */
export function checkOut(): string {
  const folder = named('the action');
  for (const path of ['.github/action', 'action.yml', 'package.json', 'package-lock.json'])
    cpSync(packageFile(path), join(folder, path), { recursive: true });
  const main = join(folder, 'dist/conformance/cli/main.js');
  mkdirSync(dirname(main), { recursive: true });
  const from = JSON.stringify(pathToFileURL(command.at(-1) as string).href);
  const loader = isBuilt() ? '' : `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};\nregister();\n`;
  writeFileSync(main, `${loader}await import(${from});`);
  return folder;
}

/** Puts an npx and an npm first on the path of `act`. What they start, or install, writes down how it was called and ends as told. */
export function fakeNpm(action: string, end: string): void {
  const bin = join(action, 'bin');
  mkdirSync(bin, { recursive: true });
  const record = (file: string) =>
    `const fs = require('node:fs'); fs.writeFileSync('${file}', JSON.stringify({ args: process.argv.slice(2), env: process.env }));`;
  writeFileSync(join(bin, 'npx.cjs'), `${record('call.json')}\n${end}\n`);
  const installed = "process.argv.at(-1) + '/node_modules/hydrauth/dist/conformance/cli'";
  const install = `fs.mkdirSync(${installed}, { recursive: true }); fs.copyFileSync('${bin}/npx.cjs', ${installed} + '/main.js');`;
  writeFileSync(join(bin, 'npm.cjs'), `${record('install.json')}\n${install}\n`);
  for (const name of ['npx', 'npm']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${bin}/${name}.cjs' "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
}

/** Runs the first step of the action as a runner does: its line in bash, its inputs through the environment that it names. */
export function act(action: string, inputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): Promise<Acted> {
  const folder = named('a workspace');
  const step = actionFile.runs.steps[0] as Step;
  const given = Object.entries(step.env ?? {}).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] as string;
    return [name, inputs[input] ?? actionFile.inputs[input]?.default ?? ''];
  });
  const files = { GITHUB_STEP_SUMMARY: join(folder, '..summary.md'), GITHUB_OUTPUT: join(folder, '..output') };
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run as string], {
    cwd: folder,
    env: {
      PATH: `${join(action, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: folder,
      RUNNER_TEMP: folder,
      GITHUB_ACTION_PATH: action,
      ...files,
      ...Object.fromEntries(given),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return new Promise((resolve) => {
    child.once('close', (code) =>
      resolve({ code, text, folder, summary: read(files.GITHUB_STEP_SUMMARY), outputs: outputsOf(read(files.GITHUB_OUTPUT)) }),
    );
  });
}

/** Reads what a step wrote to GITHUB_OUTPUT, as a runner does: name<<END, lines, END. */
function outputsOf(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name, , value] of text.matchAll(/^([^\n=<]+)<<([^\n]+)\n([\s\S]*?)\n\2$/gm)) outputs[name as string] = value as string;
  return outputs;
}
