import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { exitCode, type Report } from '../../report/index.js';
import { runClientConformance } from '../index.js';

const folder = scratch();

const program = (...words: string[]) => [process.execPath, packageFile('conformance', 'client', 'test', 'client.mjs'), ...words];
/** A client of the fixtures as a process, which speaks the same contract. */
const fixture = (id: string) => [process.execPath, '--import', 'tsx', packageFile('fixtures', 'clients', 'program.ts'), id];
const only = ['client.tells-success', 'client.token-reused'];
const outcome = (report: Report, row: string) => report.requirements.find(({ id }) => id === row)?.outcome;

/** Whether a process lives; one that has ended and waits to be collected does not. */
function lives(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] !== 'Z';
  } catch {
    return false;
  }
}

describe('a command', () => {
  test.each([
    ['of its own', program()],
    ['of the fixtures', fixture('small')],
  ])('%s finds everything in its environment, and cannot be asked for several requests at once', async (_, command) => {
    const rows = ['client.tells-success', 'client.tells-failure', 'client.token-reused'];
    const report = await runClientConformance({ command, only: [...rows, 'client.concurrent'], timeoutMs: 30_000 });
    expect(rows.map((row) => outcome(report, row))).toEqual(['pass', 'pass', 'pass']);
    expect(report.requirements.find(({ id }) => id === 'client.concurrent')).toMatchObject({
      ...{ outcome: 'untested', reason: expect.stringContaining('This needs --driver') },
    });
    expect(report.target.client).toMatchObject({ way: 'command', command });
  });

  test('is told the base URL in its words, and given no variable that the contract does not name, unless it is passed on', async () => {
    const seen = join(folder, 'environment');
    vi.stubEnv('CI_SECRET', 'not for clients').stubEnv('WANTED', 'yes').stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    const command = ['/bin/sh', '-c', 'WORD="$1" env > "$2"', '-', 'at={url}', seen];
    await runClientConformance({ command, passEnv: ['WANTED'], only });
    vi.unstubAllEnvs();
    const given = Object.fromEntries(
      [...readFileSync(seen, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(given).toMatchObject({ PATH: expect.anything(), WANTED: 'yes', WORD: `at=${given['HYDRAUTH_URL']}` });
    expect(given['HYDRAUTH_URL']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[a-z0-9]+$/);
    expect(Object.keys(given).filter((name) => ['CI_SECRET', 'HTTP_PROXY', 'VITEST'].includes(name))).toEqual([]);
    const refused = runClientConformance({ command: ['true'], passEnv: ['KEY=not for logs'], only });
    await expect(refused).rejects.toThrow(/^passEnv: a value of type string is not allowed; a list of names of variables is$/);
  });
});

describe('a command that is no client', () => {
  test.each<[string, string[], string]>([
    [
      'does not exist',
      ['/no/such/program'],
      'The command "/no/such/program" could not be started (ENOENT). It sent no request to the service.',
    ],
    ['is no program', [folder], 'could not be started (EACCES)'],
    [
      'contacts nothing',
      ['true'],
      'The client sent no request to the base URL that it was given. It ended with exit code 0, and wrote nothing to its standard error.',
    ],
    [
      'breaks at once',
      ['sh', '-c', 'echo fine; echo "Traceback:" >&2; echo "  no module $HYDRAUTH_PARAPHRASE" >&2; exit 3'],
      'It ended with exit code 3; the last it wrote to its standard error: "Traceback:; no module <paraphrase of user ',
    ],
    ['is none of the fixtures', fixture('nobody'), 'exit code 2; the last it wrote to its standard error: "There is no client nobody."'],
    ['never ends', ['sleep', '1000'], 'The client did not end within 300 ms. It sent no request to the service.'],
    ['prints without end', ['yes', 'no news '.repeat(99)], 'It printed more than 16 MB and was ended.'],
    ['ends with a signal', ['sh', '-c', 'kill -9 $$'], 'It was ended by a signal'],
  ])('%s: a sentence, and nothing is exercised', async (_, command, sentence) => {
    const timeoutMs = command[0] === 'sleep' ? 300 : 20_000;
    const report = await runClientConformance({
      command,
      only: ['client.tells-success', 'client.credentials', ...(command[0] === 'sh' ? [] : ['client.output-secrets'])],
      timeoutMs,
    });
    expect(report.error).toContain(sentence);
    expect(new Set(report.requirements.map(({ outcome: each }) => each))).toEqual(new Set(['untested']));
    expect(exitCode(report)).toBe(3);
  });

  test('leaves nothing running', async () => {
    const pids = join(folder, 'pids');
    const script = join(folder, 'stays.sh');
    writeFileSync(script, `sleep 1000 & echo $! >> ${pids}\n(sleep 1000 & echo $! >> ${pids})\nexit 0\n`);
    const report = await runClientConformance({ command: ['sh', script], only });
    expect(report.remarks).toEqual(['The client left processes running when it ended. They were ended, too.']);
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(started).toHaveLength(2);
    await expect.poll(() => started.filter(lives)).toEqual([]);
  });

  const isLinux = process.platform === 'linux';
  test.skipIf(!isLinux)('and what left its process group end when the run is interrupted', async () => {
    const pids = join(folder, 'far-pids');
    const interruption = new AbortController();
    const command = ['sh', '-c', `setsid sh -c 'echo $$ > ${pids}; setsid sleep 1000' & wait`];
    const running = runClientConformance({ command, only, signal: interruption.signal, timeoutMs: 20_000 });
    await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8').trim() !== '', { timeout: 10_000 }).toBe(true);
    interruption.abort();
    expect((await running).verdict).toBe('incomplete');
    await expect.poll(() => lives(Number(readFileSync(pids, 'utf8')))).toBe(false);
  });
});

describe('a driver', () => {
  const driven = (oddity: string, more: readonly string[] = only) =>
    runClientConformance({ driver: program(oddity), only: more, timeoutMs: oddity === 'is silent' ? 3000 : 30_000 });

  test.each([
    ['that chats', program('chats')],
    ['of the fixtures', fixture('small')],
  ])('%s goes through all scenarios in one process, those with bodies and at once among them', async (_, driver) => {
    const rows = ['tells-success', 'tells-failure', 'token-reused', 'concurrent', 'method-repeated', 'body-repeated', 'output-secrets'];
    const report = await runClientConformance({ driver, only: rows.map((row) => `client.${row}`), timeoutMs: 30_000 });
    expect(report.requirements.map(({ outcome: each }) => each)).toEqual(rows.map(() => 'pass'));
  });

  test('says what it does not support, and that is untested', async () => {
    const report = await driven('reads only', ['client.body-repeated', 'client.concurrent']);
    expect([outcome(report, 'client.body-repeated'), outcome(report, 'client.concurrent')]).toEqual(['untested', 'pass']);
  });

  test.each([
    ['dies', 'The driver ended before it was asked to. It ended with exit code 7'],
    ['is silent', 'The driver gave no answer to forget within 3 s.'],
    ['answers nonsense', 'which says nothing.'],
  ])('that %s gives no verdict', async (oddity, sentence) => {
    const report = await driven(oddity);
    expect(report.error).toContain(sentence);
    expect(exitCode(report)).toBe(3);
  });
});
