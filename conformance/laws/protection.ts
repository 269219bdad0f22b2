import fc from 'fast-check';
import {
  guardedMethods,
  oddHeader,
  oddHeaderExamples,
  query,
  queryExamples,
  spellings,
  unknownPath,
  unknownPathExamples,
} from '../arbitraries/index.js';
import { grantOf, guardedPaths, inWords, type Sending, type Trial, Untested, Violation } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';
import { law } from './law.js';

const bodies: Readonly<Record<string, string>> = { POST: '{}', PUT: '{}', PATCH: '{}' };
const typed = (trial: Trial): HeaderLine[] => [[trial.protocol.headers.contentType, trial.protocol.mediaType]];

function asStranger(trial: Trial, method: string, path: string): Promise<import('../wire/index.js').Exchange> {
  const body = bodies[method];
  return trial.stranger({ method, path, ...(body === undefined ? {} : { body, headers: typed(trial) }) });
}

const preflight: readonly HeaderLine[] = [
  ['Origin', 'https://elsewhere.example'],
  ['Access-Control-Request-Method', 'GET'],
];

export const protection = [
  law<string>('protection.collections', {
    given: (subject) => fc.constantFrom(...subject.collections),
    examples: (subject) => [...subject.collections],
    randomCases: () => 0,
    async judge(trial, name) {
      trial.expectChallenged(await trial.stranger({ path: `/${name}` }), `GET /${name} without credentials`);
    },
  }),
  law<{ method: string; path: string }>('protection.methods', {
    given: (subject) =>
      fc.record({
        method: fc.constantFrom(...guardedMethods),
        path: fc.constantFrom(...guardedPaths(subject), `/${subject.collections[0]}/1`, '/no-such-collection'),
      }),
    examples: (subject) => guardedPaths(subject).flatMap((path) => guardedMethods.slice(1).map((method) => ({ method, path }))),
    async judge(trial, { method, path }) {
      await plainIsChallenged(trial, path);
      // Twice: what a stranger writes may be let through now and then.
      const first = await asStranger(trial, method, path);
      trial.expectChallenged(first, `${method} ${path} without credentials`);
      trial.expectChallenged(await asStranger(trial, method, path), `${method} ${path} without credentials, a second time,`);
    },
  }),
  law<string>('protection.vocabulary', {
    given: () => fc.constantFrom('GET', 'HEAD'),
    examples: () => ['GET', 'HEAD'],
    randomCases: () => 0,
    async judge(trial, method) {
      trial.expectChallenged(
        await trial.stranger({ method, path: trial.protocol.link.path }),
        `${method} ${trial.protocol.link.path} without credentials`,
      );
    },
  }),
  law<{ method: string; path: string }>('protection.unknown-paths', {
    given: () => fc.record({ method: fc.constantFrom('GET', 'HEAD'), path: unknownPath }),
    examples: (subject) =>
      [...unknownPathExamples, `/${subject.collections[0]}/no-such-member`, '/'].map((path) => ({ method: 'GET', path })),
    async judge(trial, { method, path }) {
      trial.expectChallenged(await asStranger(trial, method, path), `${method} ${path}, which does not exist, without credentials`);
    },
  }),
  law<{ path: string; query: string }>('protection.queries', {
    given: (subject) => fc.record({ path: fc.constantFrom(...guardedPaths(subject)), query }),
    examples: (subject) => queryExamples.map((each) => ({ path: guardedPaths(subject)[0], query: each })),
    async judge(trial, { path, query: asked }) {
      await plainIsChallenged(trial, path);
      trial.expectChallenged(await trial.stranger({ path: `${path}${asked}` }), `${path}${asked} without credentials`);
    },
  }),
  law<{ name: number; spelling: number }>('protection.path-spellings', {
    given: () => fc.record({ name: fc.nat(7), spelling: fc.nat(21) }),
    examples: (subject) => spellings(subject.basePath, subject.collections[0]).map((_, spelling) => ({ name: 0, spelling })),
    async judge(trial, pick) {
      const { path, how } = spelled(trial, pick);
      trial.expectRefused(await trial.stranger({ target: path }), `${path} (${how}) without credentials`);
    },
  }),
  law<{ name: number; spelling: number }>('protection.path-spellings-challenged', {
    given: () => fc.record({ name: fc.nat(7), spelling: fc.nat(21) }),
    examples: (subject) => spellings(subject.basePath, subject.collections[0]).map((_, spelling) => ({ name: 0, spelling })),
    randomCases: () => 0,
    async judge(trial, pick) {
      const { path, how, legal } = spelled(trial, pick);
      if (!legal || !path.startsWith(`${trial.subject.basePath}/`)) throw new Untested('not a legal path below the base URL');
      const exchange = await trial.stranger({ target: path });
      if (grantOf(trial.answered(exchange), trial.protocol) !== 'nothing')
        throw new Untested('it was served (see protection.path-spellings)');
      trial.expectChallenged(exchange, `${path} (${how}) without credentials`);
    },
  }),
  law<HeaderLine>('protection.headers', {
    given: () => oddHeader,
    examples: () => oddHeaderExamples,
    async judge(trial, line) {
      await plainIsChallenged(trial, trial.firstPath);
      trial.expectChallenged(await trial.stranger({ headers: [line] }), `a request with "${line[0]}: ${line[1]}" and no credentials`);
    },
  }),
  law<Sending>('protection.options', {
    given: (subject) => fc.record({ path: fc.constantFrom(...guardedPaths(subject)) }),
    examples: (subject) => [...guardedPaths(subject).map((path) => ({ path })), { path: guardedPaths(subject)[0], headers: preflight }],
    randomCases: () => 0,
    async judge(trial, sending) {
      const exchange = await trial.send({ ...sending, method: 'OPTIONS' });
      const answer = trial.answered(exchange);
      const grant = grantOf(answer, trial.protocol);
      if (grant === 'token' || (grant === 'served' && holdsDocument(answer.body)))
        throw new Violation('OPTIONS without credentials gets no token and no resource', inWords(exchange, trial.protocol));
    },
  }),
  law<string>('protection.options-challenged', {
    given: (subject) => fc.constantFrom(...guardedPaths(subject)),
    examples: (subject) => [...guardedPaths(subject), '/no-such-collection'],
    randomCases: () => 0,
    async judge(trial, path) {
      await plainIsChallenged(trial, path);
      trial.expectChallenged(await trial.send({ method: 'OPTIONS', path }), `OPTIONS ${path} without credentials`);
    },
  }),
];

/** A plain read of the address is challenged; otherwise what is added to it proves nothing. Asked once of each address. */
async function plainIsChallenged(trial: Trial, path: string): Promise<void> {
  if (guardedPaths(trial.subject).includes(path)) return;
  const before = trial.chain.length;
  const exchange = await trial.stranger({ path });
  const answer = trial.answered(exchange);
  if (grantOf(answer, trial.protocol) !== 'nothing' || answer.status !== trial.subject.facts.challengeStatus)
    throw new Untested(`a plain read of ${path} is not challenged to begin with (see challenge.status and protection.unknown-paths)`);
  trial.chain.splice(before);
}

function spelled(trial: Trial, { name, spelling }: { name: number; spelling: number }) {
  const { collections, basePath } = trial.subject;
  const choices = spellings(basePath, collections[name % collections.length] as string);
  return choices[spelling % choices.length] as (typeof choices)[number];
}

/** Something of a JSON-LD document, rather than a list of methods or an empty body. */
function holdsDocument(body: Buffer): boolean {
  return /"@(id|type|context|graph)"\s*:/.test(body.subarray(0, 100_000).toString('latin1'));
}
