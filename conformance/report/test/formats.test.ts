import jsonld from 'jsonld';
import { describe, expect, test } from 'vitest';
import { earlReport, htmlReport, jsonReport, junitReport, makeReport, markdownReport, type Report } from '../index.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanReport, failingReport, finding, input, rows } from './samples.js';
import { elementsOf } from './well-formed.js';

const stale = () => makeReport(input({ options: { ...input().options, baseline: [{ requirement: 'challenge.status', reason: 'x' }] } }));
const unreachable = () => makeReport(input({ findings: [], error: 'The target cannot be reached.' }));

describe('JUnit', () => {
  const head = (text: string) => /<testsuites [^>]*>/.exec(text)?.[0];

  test('has a case per requirement, failures, and skips', () => {
    const text = junitReport(brokenReport());
    expect(elementsOf(text).filter((name) => name === 'testcase')).toHaveLength(rows);
    expect(head(text)).toContain(`tests="${rows}" failures="1" errors="0" skipped="7" time="8.340"`);
    expect(text).toContain('<failure type="MUST" message="A token was still accepted 45 minutes and 5 seconds after it was issued.">');
    expect(text).toContain('<skipped message="Known failure: The realm changes with release 4, see the tracker.">');
    expect(text).toMatch(/name="exchange\.id-spelling" time="0.000">\n +<system-out>Warning: /);
    expect(text).toContain('timestamp="2025-03-04T05:06:07"');
  });

  test('is red where the exit code is not 0', () => {
    expect(head(junitReport(cleanReport()))).toContain('failures="0" errors="0"');
    expect(head(junitReport(stale()))).toContain('failures="1" errors="0"');
    expect(head(junitReport(unreachable()))).toContain('errors="1"');
    expect(head(junitReport(makeReport(input({ interrupted: true }))))).toContain('errors="1"');
    const strictly = (report: Report): Report => ({ ...report, kit: { ...report.kit, strict: true } });
    expect(head(junitReport(strictly(brokenReport())))).toContain('failures="5"');
    const cut = { ...cleanReport(), cases: { planned: 2, run: 1, couldNotRun: 1, leftOut: 1 } };
    expect(head(junitReport(strictly(cut)))).toContain('failures="1" errors="0"');
  });

  test('stays well-formed whatever the target says', () => {
    expect(elementsOf(junitReport(hostileReport())).filter((name) => name === 'failure')).toHaveLength(1);
    expect(() => elementsOf('<a>\u0001</a>')).toThrow('no character of XML');
    expect(() => elementsOf('<a><b></a>')).toThrow('closes nothing');
  });
});

describe('EARL', () => {
  const earl = 'http://www.w3.org/ns/earl#';
  type Node = Record<string, { '@id'?: string; '@value'?: string; [property: string]: unknown }[]> & { '@type'?: string[] };
  const expand = async (text: string) =>
    (await jsonld.expand(JSON.parse(text), {
      documentLoader: async (url: string) => {
        throw new Error(`${url} is fetched`);
      },
    })) as unknown as Node[];
  const outcomes = (nodes: Node[]) => {
    const found = new Map<string, string>();
    for (const node of nodes.filter((each) => each['@type']?.includes(`${earl}Assertion`))) {
      const result = node[`${earl}result`]?.[0] as unknown as Node;
      found.set(
        String(node[`${earl}test`]?.[0]?.['@id']).split('#')[1] ?? '',
        String(result[`${earl}outcome`]?.[0]?.['@id']).replace(earl, ''),
      );
      expect(node[`${earl}mode`]?.[0]?.['@id']).toBe(`${earl}automatic`);
      expect(node[`${earl}subject`]?.[0]?.['@id']).toBe('http://127.0.0.1:8080/api');
      expect(node[`${earl}assertedBy`]?.[0]?.['@id']).toBe('https://hydrauth.example/#kit');
    }
    return found;
  };

  test('has an assertion per requirement, with the outcomes of the W3C, and fetches nothing', async () => {
    const found = outcomes(await expand(earlReport(brokenReport())));
    expect(found.size).toBe(rows + 2);
    expect(found.get('challenge.status')).toBe('passed');
    expect(found.get('expiry.refused-after')).toBe('failed');
    expect(found.get('challenge.www-authenticate')).toBe('failed');
    expect(found.get('exchange.id-spelling')).toBe('failed');
    expect(found.get('expiry.not-sliding')).toBe('untested');
    expect(found.get('config.users')).toBe('cantTell');
    expect(found.get('off.served')).toBe('inapplicable');
  });

  test('expands whatever the target says, without unseen characters', async () => {
    expect(earlReport(hostileReport())).not.toMatch(/[\u007f-\u009f\u200b\u2028\u202e\u2066\ufeff]/);
    expect(outcomes(await expand(earlReport(hostileReport()))).get('challenge.body')).toBe('failed');
  });
});

describe('Markdown', () => {
  test('says the verdict first and folds the rest', () => {
    const text = markdownReport(failingReport());
    expect(text.split('\n')[0]).toBe('## Not conformant: <code>http:&#8203;//127.0.0.1:8080/api</code>');
    expect(text).toContain(
      `**2 MUST requirements are violated (45 tested; 3 could not be tested).** ${rows - 9} passed, 2 failed, 1 warning, 6 untested; 1,312 requests in 8.3 s.`,
    );
    expect(text).toContain('| Expiry of the token | 2 | 1 |  |  | 3 |');
    expect(text).toContain('<summary><b>expiry.refused-after</b>: A token is refused');
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });

  test('lets nothing of the target be markup, a mention, a reference or a link', () => {
    const text = markdownReport(hostileReport());
    expect(text.match(/<\/?[a-z]+[^>]*>/g)?.filter((tag) => !/^<\/?(details|summary|b|code|pre)>$/.test(tag))).toEqual([]);
    expect(text).not.toMatch(/@octocat|\[link\]|```|\*\*bold|\p{Surrogate}|[\u0000-\u0009\u202e]/u);
    const outside = text.replace(/<pre>[\s\S]*?<\/pre>/g, '');
    expect(outside).not.toMatch(/&#64;octocat|&#35;1|http:\/\/|www\./);
    for (const row of outside.split('\n').filter((line) => /^\| .*Left open|^\| .*limits/.test(line)))
      expect(row.split('|')).toHaveLength(5);
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
    expect(text.match(/<pre>/g)).toHaveLength(text.match(/<\/pre>/g)?.length ?? 0);
  });

  test('fits a comment, always, and says what it leaves out', () => {
    const said = { expected: '<'.repeat(9999), actual: '|'.repeat(9999), message: '@'.repeat(9999) };
    const all = input().spec.catalogue.requirements.map(({ id }) => finding(id, 'fail', { check: id, ...said }));
    const text = markdownReport(makeReport(input({ findings: all })));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/\d+ more parts of this report do not fit here/);
  });
});

test('JSON is valid Unicode without unseen characters', () => {
  const text = jsonReport(hostileReport());
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e\u2066\ufeff]|\\ud[89a-f]|\p{Surrogate}/u);
  expect(JSON.parse(text).remarks[0]).toContain('\u202egnp.exe');
});

test('a long value makes no page, comment or terminal overflow', () => {
  const report = hostileReport('a<b|'.repeat(30_000));
  expect(markdownReport(report).length).toBeLessThan(60_000);
  expect(htmlReport(report).length).toBeLessThan(600_000);
  expect(junitReport(report).length).toBeLessThan(500_000);
  expect(earlReport(report).length).toBeLessThan(500_000);
  elementsOf(junitReport(report));
});
