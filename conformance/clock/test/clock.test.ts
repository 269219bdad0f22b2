import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OptionError } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { ClockError, ForeignMove, openClock } from '../index.js';

let folder: string;
beforeEach(() => {
  folder = scratch();
});

test.each(['', 'None', 'later', 'faketime:', 'exec: ', 'ftp://x/', 'http://', 'https'])(
  'the setting "%s" is refused with what is allowed',
  async (setting) => {
    const error = await openClock(setting).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OptionError);
    expect((error as Error).message).toBe(
      `clock: ${JSON.stringify(setting)} is no clock; none, wait, faketime:FILE, exec:COMMAND or an http(s) URL is allowed`,
    );
  },
);

test.each(['faketime', 'exec'])('a clock of the kind %s moves forward by whole milliseconds only', async (kind) => {
  const clock = await openClock(kind === 'exec' ? 'exec:true' : `faketime:${join(folder, 'time')}`);
  for (const ms of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) await expect(clock.advance(ms)).rejects.toThrow(/whole milliseconds/);
});

describe('real time', () => {
  test('is waited for, however long', async () => {
    const waiting = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    const clock = await openClock('wait');
    for (const ms of [2_700_000, 2 ** 31]) await clock.advance(ms);
    expect(waiting.mock.calls.map(([ms]) => ms)).toEqual([2_700_000, 2 ** 31 - 1, 1]);
    waiting.mockRestore();
    expect(Math.abs(Number(await clock.now()) - Date.now())).toBeLessThan(1000);
  });

  test('is given up when the run is interrupted', async () => {
    const controller = new AbortController();
    const clock = await openClock('wait', { signal: controller.signal });
    const waiting = clock.advance(2_700_000);
    controller.abort();
    await expect(waiting).rejects.toThrow('Waiting was interrupted.');
    await expect(clock.advance(1)).rejects.toThrow(ClockError);
  });
});

describe('faketime', () => {
  const file = () => join(folder, 'time');

  test('writes the offset, and adds to the one that is there', async () => {
    const clock = await openClock(`faketime:${file()}`);
    expect(await readFile(file(), 'utf8')).toBe('+0\n');
    await clock.advance(2_690_000);
    expect(await readFile(file(), 'utf8')).toBe('+2690\n');
    await clock.advance(1500);
    expect(await readFile(file(), 'utf8')).toBe('+2691.500\n');
    const again = await openClock(`faketime:${file()}`);
    await again.advance(500);
    expect(await readFile(file(), 'utf8')).toBe('+2692\n');
    expect(Math.abs(((await again.now()) ?? 0) - Date.now() - 2_692_000)).toBeLessThan(1000);
    expect(await readdir(folder)).toEqual(['time']);
    // The first one finds that it is no longer alone.
    await expect(clock.now()).rejects.toThrow(/^Something else moves the file .* One clock serves one run at a time\.$/);
    await expect(clock.advance(1)).rejects.toThrow(ForeignMove);
  });

  test.each([
    ['', '+60\n'],
    ['-120', '-60\n'],
    ['+1h\n', '+3660\n'],
    ['+2m', '+180\n'],
    ['+1.5', '+61.500\n'],
  ])('understands the offset "%s"', async (before, after) => {
    await writeFile(file(), before);
    await (await openClock(`faketime:${file()}`)).advance(60_000);
    expect(await readFile(file(), 'utf8')).toBe(after);
  });

  test('refuses what is no offset and leaves it alone', async () => {
    await writeFile(file(), '@2020-01-01 00:00:00');
    await expect(openClock(`faketime:${file()}`)).rejects.toThrow(/holds "@2020-01-01 00:00:00"; an offset such as \+0 is expected/);
    expect(await readFile(file(), 'utf8')).toBe('@2020-01-01 00:00:00');
  });

  test('says at once that a file cannot be written or read', async () => {
    await expect(openClock(`faketime:${join(folder, 'no', 'such', 'folder')}`)).rejects.toThrow(/cannot be written \(ENOENT\)/);
    await expect(openClock(`faketime:${folder}`)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});

describe('a command', () => {
  test('gets the milliseconds as its last argument, whatever quotes it has', async () => {
    const out = join(folder, 'out');
    const clock = await openClock(`exec:printf '%s|' "a  b" 'c"d' > "${out}"`);
    await clock.advance(2_700_000);
    expect(await readFile(out, 'utf8')).toBe('a  b|c"d|2700000|');
    expect(await clock.now()).toBeUndefined();
  });

  test('gets the environment, but not the users of the target', async () => {
    const out = join(folder, 'out');
    vi.stubEnv('HYDRAUTH_USERS', '1:secret');
    vi.stubEnv('MINE', 'yes');
    await (await openClock(`exec:printf %s "$HYDRAUTH_USERS-$MINE" > "${out}"; :`)).advance(1);
    vi.unstubAllEnvs();
    expect(await readFile(out, 'utf8')).toBe('-yes');
  });

  test('that fails is told with what it said', async () => {
    await expect((await openClock('exec:echo no such box >&2; exit 7; :')).advance(1)).rejects.toThrow(
      "The clock's command ended with exit code 7. It said: no such box",
    );
    await expect((await openClock('exec:kill -9 $$;')).advance(1)).rejects.toThrow('was ended by SIGKILL');
    await expect((await openClock('exec:no-such-program-at-all')).advance(1)).rejects.toThrow('exit code 127');
  });

  test('that does not end is ended, with all that it started', async () => {
    const clock = await openClock('exec:sleep 600; :', { timeoutMs: 50 });
    await expect(clock.advance(1)).rejects.toThrow('did not end within 50 ms');
    const controller = new AbortController();
    const other = await openClock('exec:sleep 600; :', { signal: controller.signal });
    const moving = other.advance(1);
    controller.abort();
    await expect(moving).rejects.toThrow('was interrupted');
    await expect(other.advance(1)).rejects.toThrow('was interrupted');
  });
});
