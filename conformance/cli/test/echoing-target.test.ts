import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultUsers, everyAnswer, type Incoming, startReferenceServer, withBody, withHeader } from '../../../reference-server/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from './calling.js';

const folder = scratch();

/** All that a request said, and what its credentials say when they are read. */
function echoOf({ method, target, rawHeaders, headers }: Incoming): string {
  const decoded = Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64').toString('utf8');
  return `${method} ${target} ${rawHeaders.join(' ')} ${decoded} ${decoded.split(':').slice(1).join(':')}`;
}

test('a target that echoes everything makes no report, no terminal and no script tell a secret', async () => {
  const issued: string[] = [];
  await using server = await startReferenceServer({
    clock: 'manual',
    users: defaultUsers,
    parts: (parts) => ({
      ...parts,
      tokens: {
        ...parts.tokens,
        draw() {
          issued.push(parts.tokens.draw());
          return issued.at(-1) as string;
        },
      },
      answers: everyAnswer(parts.answers, (answer, { request }) => {
        if (request === undefined) return answer;
        const token = issued.at(-1) ?? '';
        const echo = `${echoOf(request)} ${token} ${encodeURIComponent(echoOf(request))} ${Buffer.from(token).toString('base64')}`;
        const html = `<!doctype html><title>${echo}</title><pre>${JSON.stringify(echo)}</pre>`;
        const body = request.method === 'GET' ? JSON.stringify({ [answer.status]: echo }) : html;
        const secrets = `${defaultUsers[0]?.paraphrase} ${token}`;
        // Some refusals tell them in all that is judged, too.
        const judged =
          request.method === 'POST' ? ['X-Authentication', 'WWW-Authenticate', 'Link', 'Access-Control-Allow-Origin', 'Date'] : [];
        return withBody(
          judged.reduce((changed, name) => withHeader(changed, name, secrets), withHeader(answer, 'X-Echo', encodeURI(echo))),
          answer.status === 200 && request.user !== undefined ? answer.body : body,
          'Content-Length',
        );
      }),
    }),
  });
  const files = { json: 'r.json', junit: 'r.xml', earl: 'r.jsonld', html: 'r.html', markdown: 'r.md', 'write-baseline': 'baseline.json' };
  const written = Object.entries(files).map(([option, file]) => `--${option}=${join(folder, file)}`);
  const users = defaultUsers.map(({ id, paraphrase }) => `${id}:${paraphrase}`);
  const words = `${server.url} --collection books --clock ${server.clockUrl} --runs 1 --seed 1 --budget 900 --verbose`.split(' ');
  const { code, out, err } = await calling(['check', ...words, ...written, '--user', ...users]);
  expect(code).toBe(1);
  expect(out).toContain('challenge.body');
  const some = ['--only', 'challenge.body', 'exchange.status', '--engine', 'laws', '--record', join(folder, 'r.har')];
  // What another run was given, a run cannot know.
  const before = issued.splice(0);
  expect((await calling(['check', ...words, ...some, '--user', ...users])).code).toBe(1);
  const scripts = await calling(['replay', join(folder, 'r.json'), '--curl']);
  expect(scripts.out).toContain('curl');
  const texts = Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  expect(Object.keys(texts).sort()).toEqual([...Object.values(files), 'r.har'].sort());

  const pairs = users.flatMap((pair) => [pair, Buffer.from(pair).toString('base64')]);
  const secrets = [...defaultUsers.map(({ paraphrase }) => paraphrase), ...pairs, ...before, ...issued];
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]);
  expect(before.length).toBeGreaterThan(20);
  expect(issued.length).toBeGreaterThan(5);
  for (const [where, text] of Object.entries({ ...texts, terminal: out + err, scripts: scripts.out }))
    expect([where, forms.filter((form) => text.includes(form))]).toEqual([where, []]);
});
