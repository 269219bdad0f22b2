import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, test, vi } from 'vitest';
import { openClock } from '../../conformance/clock/index.js';
import { needs } from '../../fixtures/test/needs.js';
import { packageFile } from '../../spec/index.js';
import { python } from './following.js';
import { Workplace } from './workplace.js';

const guide = readFileSync(packageFile('docs/test-my-server.md'), 'utf8');
const shown = (words: RegExp) => words.exec(guide)?.slice(1) ?? expect.fail(`the guide does not show ${words}`);
const minuteMs = 60_000;

/** A service of one token: at each line that it reads it says whether the token is valid, and what its Date is. */
type Service = (isValid: string, date: string) => string;

const inPython: Service = (isValid, date) => `import email.utils, sys
from testclock import now
issued = now()
for _ in sys.stdin: print(${isValid}, ${date}, flush=True)`;
const inNode: Service = (isValid, date) => `import { createInterface } from 'node:readline';
import { now } from './testclock.mjs';
const issued = now();
for await (const _ of createInterface(process.stdin)) console.log(${isValid}, ${date});
process.exit();`;
const inGo: Service = (isValid, date) => `package main
import ("bufio"; "fmt"; "net/http"; "os"; "time")
func main() { issued := now(); for lines := bufio.NewScanner(os.Stdin); lines.Scan(); { fmt.Println(${isValid}, ${date}) } }`;
const inJava: Service = (isValid, date) => `import java.time.*; import java.time.format.*; import java.util.*;
class Service { public static void main(String[] words) throws Exception {
  TestClock.start(); var issued = TestClock.now(); var httpDate = ${shown(/`httpDate` is `(.+?)`\./)[0]}; var lines = new Scanner(System.in);
  while (lines.hasNextLine()) { lines.nextLine(); System.out.println((${isValid}) + " " + ${date}); } System.exit(0); } }`;

describe.each([
  ['Python', python, 'testclock.py', 'service.py', 'python3 service.py', inPython],
  ['Node.js', undefined, 'testclock.mjs', 'service.mjs', 'node service.mjs', inNode],
  ['Go', needs('go 1.22'), 'testclock.go', 'service.go', 'go run testclock.go service.go', inGo],
  ['Java', needs('java 17'), 'TestClock.java', 'Service.java', 'javac *.java && java Service', inJava],
] as const)('a service in %s', (language, need, clockFile, file, command, service) => {
  test.skipIf(need?.skip)(`has its tokens and its Date moved by the clock of the guide${need?.note ?? ''}`, async () => {
    const place = new Workplace();
    const [clockText = ''] = shown(new RegExp(`^${language}, \`${clockFile}\`[^:]*:\\n\\n\`\`\`\\w+\\n([^]*?)\`\`\``, 'm'));
    const [isValid = '', date = ''] = shown(new RegExp(`^\\| ${language} \\| \`(.+)\` \\| \`(.+)\` \\|$`, 'm'));
    place.file(clockFile, clockText);
    place.file(file, service(isValid, date));
    const port = await place.takePort('9091');
    const env = { ...process.env, CLOCK_PORT: String(port) };
    const child = spawn(command, { cwd: place.folder, shell: true, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const asked = async () => {
      child.stdin.write('\n');
      const [, valid, when = ''] = /^(\w+) (.*)$/.exec((await lines.next()).value) ?? [];
      return { valid: valid?.toLowerCase(), when: Date.parse(when), isHttpDate: new Date(when).toUTCString() === when };
    };
    const before = await asked();
    expect(before).toMatchObject({ valid: 'true', isHttpDate: true });
    const clock = await vi.waitFor(() => openClock(`http://127.0.0.1:${port}/`), { timeout: minuteMs });
    await clock.advance(44 * minuteMs);
    expect((await asked()).valid).toBe('true');
    await clock.advance(minuteMs);
    const after = await asked();
    expect(after).toMatchObject({ valid: 'false', isHttpDate: true });
    expect(after.when - before.when).toBeGreaterThanOrEqual(44 * minuteMs);
    expect(Math.abs(((await clock.now()) ?? 0) - after.when)).toBeLessThan(2 * minuteMs);
    await clock.close();
    child.stdin.end();
    expect((await lines.next()).done).toBe(true);
    await place.close();
  });
});
