import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const action = fileURLToPath(new URL('../..', import.meta.url));

/** An input that cannot be used. */
export class InputError extends Error {}

/** The program to start and its arguments, from the inputs in the environment. Each input is one argument or part of one, never shell text. */
export function callOf(env, reports) {
  const input = (name) => env[`HYDRAUTH_ACTION_${name.toUpperCase()}`] ?? '';
  const target = input('target').trim();
  if (!/^https?:\/\//i.test(target)) throw new InputError(`target is ${JSON.stringify(target)}; an http or https address is expected`);
  const collections = input('collections').split(/\s+/).filter(Boolean);
  if (collections.length === 0) throw new InputError('collections is empty; at least one name is expected');
  return [
    ...program(input('version').trim()),
    'check',
    ...collections.map((name) => `--collection=${name}`),
    ...['clock', 'baseline', 'config'].filter((name) => input(name).trim() !== '').map((name) => `--${name}=${input(name).trim()}`),
    ...(strict(input('strict').trim()) ? ['--strict'] : []),
    ...Object.entries(files).map(([option, file]) => `--${option}=${join(reports, file)}`),
    '--',
    target,
  ];
}

export const files = { json: 'report.json', junit: 'report.xml', html: 'report.html', markdown: 'report.md', earl: 'earl.jsonld' };

function program(version) {
  if (version === 'local') {
    const main = join(action, 'dist/conformance/cli/main.js');
    if (!existsSync(main)) throw new InputError(`version is local, but there is no build at ${main}; run npm ci and npm run build first`);
    return [process.execPath, main];
  }
  const { name, version: own } = JSON.parse(readFileSync(join(action, 'package.json'), 'utf8'));
  const wanted = version || own;
  // A version, a range or a tag. What else npm takes after the @ (addresses, folders, other packages) would run something else.
  if (!/^[\^~]?[0-9A-Za-z][0-9A-Za-z.+-]*$/.test(wanted))
    throw new InputError(`version is ${JSON.stringify(version)}; a version such as ${own}, a tag such as latest, or local is expected`);
  // Scripts of packages would run with the users in their environment.
  return [...npx(), '--yes', '--ignore-scripts', '--package', `${name}@${wanted}`, '--', name];
}

/** On Windows npx is a command file, which only a shell starts; it does no more than this. */
function npx() {
  return process.platform === 'win32' ? [process.execPath, join(dirname(process.execPath), 'node_modules/npm/bin/npx-cli.js')] : ['npx'];
}

function strict(given) {
  if (given !== '' && given !== 'true' && given !== 'false')
    throw new InputError(`strict is ${JSON.stringify(given)}; true or false is expected`);
  return given === 'true';
}
