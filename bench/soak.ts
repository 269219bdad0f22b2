import { connect } from 'node:net';
import { durationWords, spec } from '../spec/index.js';
import { startChild } from './children.js';
import type { Held } from './servers/soaked.js';

/**
 * One million challenges and 100,000 full flows against one server process: memory and file handles stay flat, and a nonce from before
 * the flood still opens. Prints a table. `node --expose-gc --import tsx bench/soak.ts [CHALLENGES] [FLOWS]`
 */
const [challenges = 1_000_000, flows = 100_000] = process.argv.slice(2).map(Number);
const { headers } = spec.protocol;
const user = { id: 1, paraphrase: 'correct horse battery staple' };
const credentials = `${headers.authorization}: ${spec.protocol.challenge.scheme} ${Buffer.from(`${user.id}:${user.paraphrase}`).toString('base64')}`;
const sockets = 16;
const pipelined = 8;
const samples = 10;

const child = await startChild<{ url: string }>('servers/soaked.ts', { user });
const { hostname, port, pathname, host } = new URL(`${child.ready.url}/books`);
const request = (...lines: string[]) =>
  ['GET ', pathname, ' HTTP/1.1\r\n', ...['Host: '.concat(host), ...lines].map((line) => `${line}\r\n`), '\r\n'].join('');

/** One connection that takes part: `next` gives what to send for the answers that came, or undefined to stop. */
function converse(next: (answers: readonly string[]) => string | undefined, answersPerTurn: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => turn([]));
    let text = '';
    const turn = (answers: readonly string[]) => {
      const more = next(answers);
      if (more === undefined) socket.end();
      else socket.write(more);
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      const answers = wholeAnswers(text);
      if (answers.length < answersPerTurn) return;
      text = '';
      turn(answers);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

function wholeAnswers(text: string): string[] {
  const answers: string[] = [];
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return answers;
    const head = text.slice(at, end);
    const after = end + 4 + Number(header(head, headers.contentLength));
    if (after > text.length) return answers;
    answers.push(head);
    at = after;
  }
}

function header(head: string, name: string): string {
  const from = head.indexOf(`\r\n${name}: `) + name.length + 4;
  const to = head.indexOf('\r\n', from);
  return head.slice(from, to < 0 ? undefined : to);
}

function expectStatus(head: string, status: number): void {
  if (!head.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`expected ${status}, not ${head.split('\r\n')[0]}`);
}

async function flood(count: number): Promise<void> {
  let left = count;
  const turn = request().repeat(pipelined);
  const next = (answers: readonly string[]) => {
    for (const answer of answers) expectStatus(answer, spec.protocol.challenge.status);
    left -= pipelined;
    return left > -pipelined ? turn : undefined;
  };
  await Promise.all(Array.from({ length: sockets }, () => converse(next, pipelined)));
}

async function exchangeAll(count: number): Promise<void> {
  let left = count;
  const client = () => {
    let step = 0;
    return converse(([answer]) => {
      if (answer !== undefined) expectStatus(answer, step === 1 ? spec.protocol.challenge.status : spec.protocol.exchange.status);
      if (step === 1) {
        step = 2;
        return request(`${headers.nonce}: ${header(answer as string, headers.nonce)}`, credentials);
      }
      if (step === 2) {
        step = 3;
        return request(`${headers.token}: ${header(answer as string, headers.token)}`);
      }
      step = 1;
      return left-- > 0 ? request() : undefined;
    }, 1);
  };
  await Promise.all(Array.from({ length: sockets }, client));
}

const rows: string[] = [];
const begun = performance.now();
async function note(what: string, minutes = 0): Promise<Held> {
  const held = await child.ask<Held>({ minutes });
  const seconds = (performance.now() - begun) / 1000;
  rows.push(`| ${what} | ${seconds.toFixed(0)} | ${held.residentMb.toFixed(1)} | ${held.heapMb.toFixed(1)} | ${held.handles} |`);
  process.stderr.write(`${rows.at(-1)}\n`);
  return held;
}

await flood(50_000);
await exchangeAll(2000);
const before = await note('after the warm-up', 60);
let early = '';
await converse(([answer]) => {
  if (answer === undefined) return request();
  early = header(answer, headers.nonce);
  return undefined;
}, 1);
for (let sample = 1; sample <= samples; sample++) {
  await flood(challenges / samples);
  await note(`${((challenges / samples) * sample).toLocaleString('en')} challenges`);
}
let opened = '';
await converse(([answer]) => {
  if (answer === undefined) return request(`${headers.nonce}: ${early}`, credentials);
  opened = answer.slice(9, 12);
  return undefined;
}, 1);
const lifetimeMinutes = spec.protocol.token.lifetimeMs / 60_000;
for (let sample = 1; sample <= samples; sample++) {
  await exchangeAll(flows / samples);
  await note(
    `${((flows / samples) * sample).toLocaleString('en')} flows, then ${durationWords(spec.protocol.token.lifetimeMs)}`,
    lifetimeMinutes,
  );
}
const after = await note('at the end', lifetimeMinutes);
await child.stop();

process.stdout.write(
  `| after | seconds | resident MB | heap MB | file handles |\n| --- | ---: | ---: | ---: | ---: |\n${rows.join('\n')}\n`,
);
process.stdout.write(
  `\nThe nonce from before the challenges: status ${opened}. Heap: ${(after.heapMb - before.heapMb).toFixed(1)} MB more than after the warm-up.\n`,
);
