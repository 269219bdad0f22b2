import { profileOf, spec } from '../../spec/index.js';
import { present } from '../finding.js';
import { clip, jsonText, wellFormed } from './escape.js';
import { factsOf, findingOf, type Way } from './finding.js';
import { closingLine, headline } from './headline.js';
import type { Report, ReportRequirement } from './report.js';
import { skippedBecause, targetName } from './words.js';

/** EARL 1.0 (W3C) with its context inline, so that no reader has to fetch anything. */
const context = {
  earl: 'http://www.w3.org/ns/earl#',
  dct: 'http://purl.org/dc/terms/',
  doap: 'http://usefulinc.com/ns/doap#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  assertedBy: { '@id': 'earl:assertedBy', '@type': '@id' },
  subject: { '@id': 'earl:subject', '@type': '@id' },
  test: { '@id': 'earl:test', '@type': '@id' },
  mode: { '@id': 'earl:mode', '@type': '@id' },
  outcome: { '@id': 'earl:outcome', '@type': '@id' },
  result: { '@id': 'earl:result' },
  info: 'earl:info',
  title: 'dct:title',
  description: 'dct:description',
  identifier: 'dct:identifier',
  type: 'dct:type',
  date: { '@id': 'dct:date', '@type': 'xsd:dateTime' },
  isPartOf: { '@id': 'dct:isPartOf' },
  name: 'doap:name',
  revision: 'doap:revision',
  release: 'doap:release',
} as const;

const assertor = 'https://hydrauth.example/#kit';

type Row = Pick<ReportRequirement, 'id' | 'section' | 'level'> & { readonly statement?: string };

/** An assertion for every requirement, also for those that were skipped or do not apply in this setting. */
export function earlReport(report: Report): string {
  const { kit, spec: judged, target, startedAt } = report;
  const asserted = ({ id, statement, section, level }: Row, result: object) => {
    const test = `https://hydrauth.example/requirements/${encodeURIComponent(judged.catalogue)}#${encodeURIComponent(wellFormed(id))}`;
    return [
      {
        '@id': test,
        '@type': 'earl:TestRequirement',
        identifier: id,
        ...present({ title: statement }),
        type: level,
        isPartOf: { title: `${judged.title} ${judged.version}, section ${section}` },
      },
      {
        ...{ '@type': 'earl:Assertion', assertedBy: assertor, subject: target.url, test, mode: 'earl:automatic' },
        result: { '@type': 'earl:TestResult', ...result },
      },
    ];
  };
  const graph = [
    { '@id': assertor, '@type': ['earl:Assertor', 'earl:Software'], name: kit.name, release: { revision: kit.version } },
    { '@id': target.url, '@type': 'earl:TestSubject', title: targetName(target), description: closingLine(headline(report)) },
    ...report.requirements.flatMap((each) => asserted(each, { outcome: outcomeOf(each), date: startedAt, ...descriptionOf(each) })),
    ...unjudged(report).flatMap(({ row, result }) => asserted(row, { date: startedAt, ...result })),
  ];
  return jsonText({ '@context': context, '@graph': graph }, (text) => clip(text, 20_000));
}

/** EARL says cantTell of what only a person can check, and of what failed once and then held. A failure that a baseline accepts is still a failure. */
function outcomeOf({ outcome, uncheckable }: ReportRequirement): string {
  if (outcome === 'pass') return 'earl:passed';
  if (outcome === 'flaky') return 'earl:cantTell';
  if (outcome === 'untested') return uncheckable === true ? 'earl:cantTell' : 'earl:untested';
  return 'earl:failed';
}

function descriptionOf(requirement: ReportRequirement): { description?: string; info?: string } {
  const { ways } = findingOf(requirement);
  const basis = requirement.restsOn === undefined ? undefined : `Based on: ${requirement.restsOn}`;
  const factLines = (way: Way) => factsOf(way).map(({ label, text }) => `${label}: ${text}`);
  return present({
    description: requirement.reason ?? ways[0]?.check.message ?? basis,
    info: ways.map((way) => factLines(way).join('\n')).join('\n\n') || undefined,
  });
}

/**
 * Rows that were skipped or do not apply. A report has only their ids, so the catalogue must be this kit's. Their statements are those of
 * its own profile, and left out under another.
 */
function unjudged({ spec: judged, profile, target, skipped }: Report) {
  const own = profileOf(spec);
  const { requirements, version } = target.client === undefined ? spec.catalogue : spec.clientCatalogue;
  if (judged.catalogue !== version || (profile?.catalogue ?? own.catalogue) !== own.catalogue) return [];
  const isOwn = (profile?.digest ?? own.digest) === own.digest;
  return requirements.flatMap(({ statement, ...each }) => {
    const row = { ...each, ...(isOwn ? { statement } : {}) };
    if (row.auth !== 'any' && row.auth !== target.auth) return [{ row, result: { outcome: 'earl:inapplicable' } }];
    return skipped.includes(row.id) ? [{ row, result: { outcome: 'earl:untested', description: skippedBecause } }] : [];
  });
}
