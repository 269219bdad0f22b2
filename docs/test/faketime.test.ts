import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { scratch } from '../../spec/test/scratch.js';
import { blocksOf } from './blocks.js';

const faketime = needs('libfaketime');
const folder = scratch();

const python = `import threading, time
time.sleep(0.01)
threading.Event().wait(0.01)
print(time.strftime('%Y'))`;
const gunicorn = `import os, signal, time
def post_worker_init(worker):
    time.sleep(0.01)
    print(time.strftime('%Y'), flush=True)
    os.kill(worker.ppid, signal.SIGTERM)`;
const java = `class Year { public static void main(String[] words) throws Exception {
  Thread.sleep(10); System.out.println(java.time.Year.now()); } }`;

/** A program of each kind that waits a little and then says which year it is. */
const kinds = [
  ['python3', needs('python3'), ['python3', 'year.py'], 'year.py', python],
  [
    'gunicorn',
    needs('python3-gunicorn'),
    ['python3', '-m', 'gunicorn', '-b', '127.0.0.1:0', '-c', 'conf.py', 'conf:post_worker_init'],
    'conf.py',
    gunicorn,
  ],
  ['node', faketime, ['node', 'year.js'], 'year.js', 'setTimeout(() => console.log(new Date().getFullYear()), 10)'],
  ['java', needs('java 17'), ['java', 'Year.java'], 'Year.java', java],
  ['php', needs('php'), ['php', 'year.php'], 'year.php', '<?php usleep(10000); echo date("Y"), "\\n";'],
] as const;

describe.each(kinds)('%s', (_, need, words, name, text) => {
  const { skip, note } = faketime.skip ? faketime : need;
  test.skipIf(skip)(`has its clock moved by faketime.sh of the guide, and sleeps as ever${note}`, () => {
    const [script] = blocksOf('docs/test-my-server.md').filter((block) => block.text.startsWith('#!/bin/sh'));
    writeFileSync(join(folder, 'faketime.sh'), script?.text ?? '');
    writeFileSync(join(folder, 'offset.txt'), '+1000000000\n');
    writeFileSync(join(folder, name), text);
    const { stdout, stderr, status } = spawnSync('sh', ['faketime.sh', ...words], { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(String(new Date(Date.now() + 1e12).getFullYear()));
  });
});
