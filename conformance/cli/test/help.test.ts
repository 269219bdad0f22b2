import { describe, expect, test } from 'vitest';
import { kitVersion } from '../../version.js';
import { commands } from '../commands.js';
import { calling } from './calling.js';

const names = commands.map(({ name }) => name);

describe('help', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']], [['help', '--help']]])('of the whole comes with %j', async (words) => {
    const { code, out, err } = await calling(words);
    expect([code, err]).toEqual([0, '']);
    for (const name of names) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  test.each(['--help', '-h'])('comes with %s beside whatever else', async (wish) => {
    expect(await calling(['check', '--nonsense', wish])).toEqual(await calling(['help', 'check']));
  });

  test.each(names)('of %s comes in both orders and names every option', async (name) => {
    const before = await calling(['help', name]);
    const after = await calling([name, '--help']);
    expect(before).toEqual(after);
    expect(after.code).toBe(0);
    for (const option of commands.find((each) => each.name === name)?.options ?? []) expect(after.out).toContain(`--${option.name}`);
  });

  test.each([40, 80, 100, 200])('fits %i columns', async (columns) => {
    for (const name of ['', ...names]) {
      const { out } = await calling(name === '' ? [] : [name, '--help'], { columns });
      const examples = commands.flatMap(({ examples }) => Object.keys(examples).map((line) => `  ${line}`));
      const long = out.split('\n').filter((line) => line.length > Math.max(columns, 60) && !examples.includes(line));
      expect(long).toEqual([]);
    }
  });

  test('and complaints and lists have the commands as npx runs them, where it started this one', async () => {
    const env = { npm_command: 'exec' };
    for (const words of [
      ['check', '--help'],
      ['explain', 'nothing'],
      ['explain', 'token.sufficient'],
      ['faults', 'nonce'],
      ['export', 'bruno'],
    ]) {
      const { out, err } = await calling(words, { env });
      const [bare, all] = [/(?<!npx )hydrauth [a-z]/g, /npx hydrauth [a-z]/g].map((form) => `${out}${err}`.match(form)?.length ?? 0);
      // A complaint begins with the command that complains.
      expect([words, bare, all === 0]).toEqual([words, err === '' ? 0 : 1, false]);
    }
  });

  test('is coloured on a terminal only', async () => {
    const csi = '\u001b[';
    expect((await calling([], { isTTY: true })).out).toContain(csi);
    expect((await calling([], { isTTY: true, env: { NO_COLOR: '1' } })).out).not.toContain(csi);
    expect((await calling([], { isTTY: true, env: { TERM: 'dumb' } })).out).not.toContain(csi);
    expect((await calling([])).out).not.toContain(csi);
    expect((await calling([], { env: { FORCE_COLOR: '1' } })).out).toContain(csi);
  });
});

describe('the version', () => {
  test.each([[['--version']], ...names.map((name) => [[name, '--version']])])('comes with %j', async (words) => {
    expect(await calling(words)).toEqual({ code: 0, out: `${kitVersion()}\n`, err: '' });
  });
});

describe('an unknown command', () => {
  test('is refused with the nearest one and a list', async () => {
    const { code, out, err } = await calling(['requirement']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('there is no command requirement. Did you mean requirements?');
    expect(err).toContain(`Commands: ${names.join(' ')}`);
  });

  test('is refused after help too', async () => {
    expect((await calling(['help', 'nonsense'])).code).toBe(2);
  });
});
