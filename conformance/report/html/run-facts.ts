import { count } from '../../../spec/index.js';
import type { Report, ReportClient, ReportTarget } from '../report.js';
import { clientWords } from '../target-words.js';
import { coverageWords, depthWords, profileWords, timeWords } from '../words.js';
import { pairs } from './requirement.js';
import type { Section } from './sections.js';

const clocks: Readonly<Record<string, string>> = {
  none: 'none given, so expiry was not judged',
  wait: 'real time',
  http: 'moved over HTTP',
  faketime: 'moved by libfaketime',
  exec: 'moved by a command',
};

function serviceFacts(target: ReportTarget): [string, string][] {
  return [
    ['Service', target.url],
    ['Collections', target.collections.join(', ')],
    ['Logged in as', target.users.length === 0 ? 'nobody' : `${target.users.length === 1 ? 'user' : 'users'} ${target.users.join(', ')}`],
    ['Authentication', `switched ${target.auth}`],
    ['Clock', clocks[target.clock] ?? target.clock],
  ];
}

function clientFacts(client: ReportClient): [string, string][] {
  return [
    ['Client', client.name],
    ['Judged as', clientWords(client)],
  ];
}

/** How the verdict came about: what was given to the run, and what it took. */
export function runFacts({ kit, spec, profile, target, startedAt, durationMs, requests, depth, coverage }: Report): Section {
  const body = pairs([
    ...(target.client === undefined ? serviceFacts(target) : clientFacts(target.client)),
    [
      'Judged',
      `${startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}, in ${timeWords(durationMs)} with ${count(requests, 'request')}${depth === undefined ? '' : `, ${depthWords(depth)}`}`,
    ],
    ['Covered', coverage === undefined ? undefined : coverageWords(coverage)],
    [
      'Engines',
      `${kit.engines.join(', ')}${target.client === undefined ? `; ${count(kit.runs, 'random case')} a law, seed ${kit.seed}` : ''}`,
    ],
    ['Profile', profileWords({ spec, profile }).replace('profile ', '')],
    ['Kit', `hydrauth ${kit.version}, catalogue ${spec.catalogue}`],
  ]);
  return { id: 'run', title: 'About this run', body };
}
