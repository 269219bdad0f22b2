import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const action = fileURLToPath(new URL('../..', import.meta.url));

/** An input that cannot be used. */
export class InputError extends Error {}

/**
 * The program to start and its arguments, from the inputs in the environment, and what installs it into the folder, where that is needed.
 * Each input is one argument or part of one, never shell text.
 */
export function callOf(env, reports, folder) {
  const input = (name) => env[`HYDRAUTH_ACTION_${name.toUpperCase()}`] ?? '';
  const target = input('target').trim();
  if (!/^https?:\/\//i.test(target)) throw new InputError(`target is ${JSON.stringify(target)}; an http or https address is expected`);
  const collections = input('collections').split(/\s+/).filter(Boolean);
  if (collections.length === 0) throw new InputError('collections is empty; at least one name is expected');
  const { install, start } = program(input('version').trim(), folder);
  const call = [
    ...start,
    'check',
    ...collections.map((name) => `--collection=${name}`),
    ...['clock', 'baseline', 'config'].filter((name) => input(name).trim() !== '').map((name) => `--${name}=${input(name).trim()}`),
    ...(strict(input('strict').trim()) ? ['--strict'] : []),
    ...Object.entries(files).map(([option, file]) => `--${option}=${join(reports, file)}`),
    '--',
    target,
  ];
  return { install, call };
}

export const files = { json: 'report.json', junit: 'report.xml', html: 'report.html', markdown: 'report.md', earl: 'earl.jsonld' };

const main = 'dist/conformance/cli/main.js';

function program(version, folder) {
  if (version === 'local') {
    const built = join(action, main);
    if (!existsSync(built)) throw new InputError(`version is local, but there is no build at ${built}; run npm ci and npm run build first`);
    return { start: [process.execPath, built] };
  }
  const { name, version: own, overrides } = JSON.parse(readFileSync(join(action, 'package.json'), 'utf8'));
  const wanted = version || own;
  // A version, a range or a tag. What else npm takes after the @ (addresses, folders, other packages) would run something else.
  if (!/^[\^~]?[0-9A-Za-z][0-9A-Za-z.+-]*$/.test(wanted))
    throw new InputError(`version is ${JSON.stringify(version)}; a version such as ${own}, a tag such as latest, or local is expected`);
  // Scripts of packages would run with the users in their environment. What another version depends on, the lock here does not know.
  if (wanted !== own) return { start: [...npm('npx'), '--yes', '--ignore-scripts', '--package', `${name}@${wanted}`, '--', name] };
  writeLock(folder, { name, version: own, overrides });
  return {
    install: [...npm('npm'), 'ci', '--ignore-scripts', '--prefix', folder],
    start: [process.execPath, join(folder, 'node_modules', name, main)],
  };
}

/** Writes what `npm ci` installs: this version, and below it the packages that the lock of this commit names, each with its checksum. */
function writeLock(folder, { name, version, overrides }) {
  const { packages, ...lock } = JSON.parse(readFileSync(join(action, 'package-lock.json'), 'utf8'));
  const { name: _, devDependencies: __, ...published } = packages[''];
  const needed = Object.fromEntries(Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true));
  const root = { name: `${name}-action`, version, dependencies: { [name]: version } };
  const kept = Object.entries(overrides).filter(([each]) => `node_modules/${each}` in needed);
  const write = (file, content) => writeFileSync(join(folder, file), JSON.stringify(content));
  write('package.json', { ...root, private: true, overrides: Object.fromEntries(kept) });
  write('package-lock.json', { ...lock, name: root.name, packages: { '': root, [`node_modules/${name}`]: published, ...needed } });
}

/** On Windows npm and npx are command files, which only a shell starts; they do no more than this. */
function npm(command) {
  const script = join(dirname(process.execPath), `node_modules/npm/bin/${command}-cli.js`);
  return process.platform === 'win32' ? [process.execPath, script] : [command];
}

function strict(given) {
  if (given !== '' && given !== 'true' && given !== 'false')
    throw new InputError(`strict is ${JSON.stringify(given)}; true or false is expected`);
  return given === 'true';
}
