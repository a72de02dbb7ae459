import { describe, expect, test } from 'vitest';
import { decoded, knownHead, MODIFIED_MS, survivesAnything } from '../decoding.test-support.ts';
import { testReport, testReportDecoder } from './test-report.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);
const read = (payload: string, modifiedMs: number | null = MODIFIED_MS) =>
  decoded(testReportDecoder, [payload], { name: 'report.xml', modifiedMs });
const known = (name: string) => read(knownHead(name));

describe('OBS-2 JUnit XML', () => {
  test('of Surefire: thousands with commas, a bare suite', () => {
    expect(known('surefire.xml')).toMatchObject([
      {
        kind: 'test_result',
        suite: 'shop.OrdersTest',
        test: 'places',
        status: 'passed',
        durationMs: 500,
        atMs: MODIFIED_MS,
      },
      { test: 'refuses', status: 'failed', errorMessage: 'expected 1\ntrace' },
    ]);
    expect(read('<testsuite><testcase name="a" time="1,034.2"/></testsuite>')).toMatchObject([
      { durationMs: 1_034_200 },
    ]);
  });

  test('of pytest: skipped, a time of its own', () => {
    expect(known('pytest.xml')).toMatchObject([
      { suite: 'tests.test_a', test: 'test_x', status: 'passed', atMs: AT_MS },
      { test: 'test_y', status: 'skipped' },
    ]);
  });

  test('passed on another try is flaky; kept failing is failed', () => {
    const xml =
      '<testsuites><testsuite name="s"><testcase name="a"><flakyFailure message="late">t</flakyFailure></testcase><testcase name="b"><failure>no</failure><rerunFailure>no</rerunFailure></testcase><testcase name="c"><error type="E"/></testcase></testsuite></testsuites>';
    expect(read(xml)).toMatchObject([
      { status: 'flaky', errorMessage: 'late\nt', suite: 's' },
      { status: 'failed', errorMessage: 'no' },
      { status: 'failed', errorMessage: 'E' },
    ]);
  });

  test('signs that XML forbids, suites inside of suites, totals that lie', () => {
    const xml =
      '\ufeff<?xml version="1.0"?>\n<testsuites tests="99" failures="0"><testsuite name="a"><testsuite name="b" timestamp="2026-11-17T09:12:01"><testcase name="x"><failure>\u001b[31mred\u001b[0m</failure></testcase></testsuite></testsuite></testsuites>';
    expect(read(xml)).toMatchObject([
      { suite: 'b', status: 'failed', atMs: AT_MS, errorMessage: '[31mred[0m' },
    ]);
  });

  test('hostile XML ends in a refusal or in nothing', () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>';
    expect(JSON.stringify(read(bomb))).not.toContain('aaaaaaaa');
    expect(read('<testsuite>'.repeat(100_000))).toMatchObject([{ ok: false }]);
    expect(
      read(`${'<testsuite>'.repeat(200)}<testcase name="x"/>${'</testsuite>'.repeat(200)}`),
    ).toEqual([]);
    expect(read('<html/>')).toMatchObject([{ ok: false }]);
  });
});

describe('OBS-2 reports in JSON', () => {
  test('Playwright: tries are one result, with the time of all', () => {
    expect(known('playwright.json')).toMatchObject([
      {
        suite: 'a.spec.ts',
        test: 'opens [chromium]',
        status: 'flaky',
        durationMs: 190,
        errorMessage: 'late',
        atMs: AT_MS + 332,
      },
    ]);
    const old = {
      suites: [
        {
          title: 'f',
          suites: [
            {
              title: 'g',
              specs: [
                {
                  title: 't',
                  ok: false,
                  tests: [
                    {
                      status: 'unexpected',
                      results: [{ status: 'timedOut', duration: 5, error: { message: 'no' } }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
      stats: { startTime: '2026-11-17T09:12:01Z' },
      errors: [{ message: 'setup' }],
    };
    expect(read(JSON.stringify(old))).toMatchObject([
      { suite: 'f › g', test: 't', status: 'failed', errorMessage: 'no', atMs: AT_MS },
      { test: 'outside of tests', status: 'failed', errorMessage: 'setup' },
    ]);
  });

  test('Vitest and Jest: one form, with their own words for skipped and flaky', () => {
    expect(known('vitest.json')).toMatchObject([
      { suite: 'w/a.test.ts', test: 'a adds', status: 'passed', durationMs: 2 },
      { test: 'a breaks', status: 'failed', errorMessage: 'AssertionError: no' },
    ]);
    const jest = {
      numTotalTests: 3,
      startTime: AT_MS,
      testResults: [
        { name: 'a.js', status: 'failed', message: 'no module', assertionResults: [] },
        {
          name: 'b.js',
          status: 'passed',
          assertionResults: [
            { fullName: 'x', status: 'pending' },
            { fullName: 'y', status: 'passed', invocations: 2, retryReasons: ['late'] },
          ],
        },
      ],
    };
    expect(read(JSON.stringify(jest))).toMatchObject([
      { suite: 'a.js', test: 'loads', status: 'failed', errorMessage: 'no module' },
      { test: 'x', status: 'skipped' },
      { test: 'y', status: 'flaky' },
    ]);
  });

  test('go test -json: what a test printed is why it failed', () => {
    expect(known('go-test.json')).toMatchObject([
      {
        suite: 'shop',
        test: 'TestA',
        status: 'failed',
        durationMs: 100,
        errorMessage: 'a_test.go:9: no',
        atMs: AT_MS + 632,
      },
    ]);
    const build = [
      { ImportPath: 'shop', Action: 'build-output', Output: 'x.go:1: broken\n' },
      { ImportPath: 'shop', Action: 'build-fail' },
      {
        Time: '2026-11-17T09:12:01Z',
        Action: 'fail',
        Package: 'shop',
        Elapsed: 0,
        FailedBuild: 'shop',
      },
    ];
    expect(read(build.map((one) => JSON.stringify(one)).join('\n'))).toMatchObject([
      { test: 'builds', status: 'failed', errorMessage: 'x.go:1: broken' },
    ]);
  });

  test('pytest-json-report and promptfoo', () => {
    expect(known('.report.json')).toMatchObject([
      { suite: 'a.py', test: 'test_a', status: 'passed', durationMs: 3 },
      { test: 'test_b', status: 'failed', errorMessage: 'assert 0' },
    ]);
    expect(known('promptfoo.json')).toMatchObject([
      {
        suite: 'eval-1',
        test: 'test 0, prompt 0 [openai:gpt-5]',
        status: 'failed',
        durationMs: 700,
        model: 'openai:gpt-5',
      },
    ]);
  });

  test('a run is one session; without any time it is refused', () => {
    const sessions = known('vitest.json').map((one) => (one as { session: string }).session);
    expect(new Set(sessions).size).toBe(1);
    expect(read(knownHead('surefire.xml'), null)).toMatchObject([
      { ok: false, reason: 'wrong_time' },
    ]);
  });
});

test('any text gives records, and never throws', () => {
  survivesAnything(
    testReportDecoder,
    [
      'surefire.xml',
      'pytest.xml',
      'playwright.json',
      'vitest.json',
      'go-test.json',
      '.report.json',
      'promptfoo.json',
    ].map(knownHead),
  );
});

test('is read as whole files', () => {
  expect(testReport.place({ path: 'reports' })).toBe('reports');
});
