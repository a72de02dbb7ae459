/** Reports of tests in JSON: Playwright, Vitest and Jest, pytest-json-report, promptfoo, and lines of `go test -json`. */

import type { CaseResult } from './case-result.ts';
import { durationIn } from './durations.ts';
import { epochMs, timeOf } from './times.ts';
import {
  bounded,
  type Fields,
  fieldsOf,
  firstAt,
  isFields,
  listOf,
  nameOf,
  numberOf,
  own,
  textOf,
  valueAt,
} from './values.ts';

type Status = CaseResult['status'];
type Reader = (report: Fields) => readonly CaseResult[];

export const isPlaywright = (report: Fields) =>
  Array.isArray(report['suites']) && isFields(report['stats']);
export const isJest = (report: Fields) =>
  Array.isArray(report['testResults']) && report['numTotalTests'] !== undefined;
export const isPytest = (report: Fields) =>
  Array.isArray(report['tests']) &&
  (report['exitcode'] !== undefined || isFields(report['summary']));
export const isPromptfoo = (report: Fields) =>
  Array.isArray(valueAt(report, 'results.results')) ||
  (report['evalId'] !== undefined && isFields(report['results']));
export const isGoLine = (line: Fields) =>
  typeof line['Action'] === 'string' &&
  (line['Package'] !== undefined || line['ImportPath'] !== undefined);

/** The reader of a report; undefined if it is none. */
export function readerOf(report: Fields): Reader | undefined {
  if (isPlaywright(report)) return playwright;
  if (isJest(report)) return jest;
  if (isPromptfoo(report)) return promptfoo;
  return isPytest(report) ? pytest : undefined;
}

const PARTS_MAX = 100_000;

function playwright(report: Fields): readonly CaseResult[] {
  const startMs = timeOf(valueAt(report, 'stats.startTime'));
  const results: CaseResult[] = [];
  const open: { suite: unknown; path: string }[] = listOf(report['suites']).map((suite) => ({
    suite,
    path: '',
  }));
  for (let at = 0; at < open.length && at < PARTS_MAX; at++) {
    const { suite, path } = open[at]!;
    if (!isFields(suite)) continue;
    const title = nameOf(suite['title']) ?? nameOf(suite['file']) ?? '';
    const below = path === '' ? title : `${path} › ${title}`.slice(0, 400);
    for (const one of listOf(suite['suites'])) open.push({ suite: one, path: below });
    for (const spec of listOf(suite['specs']).filter(isFields))
      for (const test of listOf(spec['tests']).filter(isFields))
        results.push(playwrightTest(spec, test, { suite: below, startMs }));
  }
  // Failures outside of any test, such as of the setup.
  for (const error of listOf(report['errors']).filter(isFields).slice(0, 100))
    results.push({
      suite: undefined,
      test: 'outside of tests',
      status: 'failed',
      durationMs: undefined,
      errorMessage: textOf(error['message']),
      atMs: startMs,
    });
  return results;
}

const PLAYWRIGHT: Readonly<Record<string, Status>> = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'flaky',
  skipped: 'skipped',
};

function playwrightTest(
  spec: Fields,
  test: Fields,
  { suite, startMs }: { suite: string; startMs: number | undefined },
): CaseResult {
  const tries = listOf(test['results']).filter(isFields);
  const status = own(PLAYWRIGHT, String(test['status'])) as Status | undefined;
  const failing = tries.find((one) => listOf(one['errors']).length > 0 || isFields(one['error']));
  const message = firstAt(failing, 'errors.0.message', 'error.message');
  const project = nameOf(test['projectName']);
  const title = nameOf(spec['title']) ?? 'unnamed';
  return {
    suite: nameOf(suite),
    test: nameOf(project === undefined ? title : `${title} [${project}]`)!,
    status: status ?? (spec['ok'] === false ? 'failed' : 'passed'),
    durationMs: durationIn(
      tries.reduce((sum, one) => sum + (numberOf(one['duration']) ?? 0), 0),
      'ms',
    ),
    errorMessage: status === 'passed' ? undefined : textOf(message),
    atMs: timeOf(tries[0]?.['startTime']) ?? startMs,
  };
}

const JEST: Readonly<Record<string, Status>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
};

function jest(report: Fields): readonly CaseResult[] {
  const startMs = timeOf(report['startTime']);
  return listOf(report['testResults'])
    .filter(isFields)
    .slice(0, PARTS_MAX)
    .flatMap((file): CaseResult[] => {
      const atMs = timeOf(file['startTime']) ?? startMs;
      const suite = nameOf(fileName(file['name'] ?? file['testFilePath']));
      const cases = listOf(file['assertionResults'] ?? file['testResults']).filter(isFields);
      // A file that could not be loaded has no tests, and says why.
      if (cases.length === 0 && file['status'] === 'failed')
        return [
          {
            suite,
            test: 'loads',
            status: 'failed',
            durationMs: undefined,
            errorMessage: textOf(file['message']),
            atMs,
          },
        ];
      return cases.map((one) => {
        const status = (own(JEST, String(one['status'])) as Status | undefined) ?? 'skipped';
        const messages = listOf(one['failureMessages']).filter((text) => typeof text === 'string');
        const tries = numberOf(one['invocations']) ?? 1;
        return {
          suite,
          test: nameOf(one['fullName']) ?? nameOf(one['title']) ?? 'unnamed',
          // Jest tells of tries since 28; what passed at last after failing is flaky.
          status:
            status === 'passed' && (tries > 1 || listOf(one['retryReasons']).length > 0)
              ? 'flaky'
              : status,
          durationMs: durationIn(one['duration'] ?? undefined, 'ms'),
          errorMessage: messages.length === 0 ? undefined : bounded(messages.join('\n')),
          atMs: timeOf(one['startAt']) ?? atMs,
        };
      });
    });
}

/** The last two parts of a path: it begins with a folder of whoever ran it. */
const fileName = (path: unknown) =>
  typeof path === 'string' ? path.split(/[\\/]/).slice(-2).join('/') : undefined;

const PYTEST: Readonly<Record<string, Status>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
  xpassed: 'passed',
  rerun: 'flaky',
};

function pytest(report: Fields): readonly CaseResult[] {
  const atMs = epochMs(numberOf(report['created']) ?? 0);
  return listOf(report['tests'])
    .filter(isFields)
    .slice(0, PARTS_MAX)
    .map((one) => {
      const id = nameOf(one['nodeid']) ?? 'unnamed';
      const stages = ['setup', 'call', 'teardown'].map((stage) => fieldsOf(one[stage]) ?? {});
      const seconds = stages.reduce((sum, stage) => sum + (numberOf(stage['duration']) ?? 0), 0);
      const failing = stages.find(
        (stage) => stage['outcome'] === 'failed' || stage['outcome'] === 'error',
      );
      const cut = id.indexOf('::');
      return {
        suite: cut === -1 ? undefined : id.slice(0, cut),
        test: cut === -1 ? id : id.slice(cut + 2) || id,
        status: (own(PYTEST, String(one['outcome'])) as Status | undefined) ?? 'skipped',
        durationMs: durationIn(seconds || (one['duration'] ?? undefined), 's'),
        errorMessage: textOf(firstAt(failing, 'crash.message', 'longrepr')),
        atMs,
      };
    });
}

/** A failed assertion says why; an error is the provider's, and is told apart by its words. */
function promptfoo(report: Fields): readonly CaseResult[] {
  const atMs = timeOf(
    firstAt(report, 'results.timestamp', 'createdAt', 'metadata.evaluationCreatedAt'),
  );
  const suite = nameOf(firstAt(report, 'config.description', 'evalId')) ?? 'promptfoo';
  return listOf(valueAt(report, 'results.results'))
    .filter(isFields)
    .slice(0, PARTS_MAX)
    .map((row, at) => {
      const provider = nameOf(firstAt(row, 'provider.label', 'provider.id', 'provider'));
      const test =
        nameOf(firstAt(row, 'testCase.description', 'description')) ??
        `test ${row['testIdx'] ?? at}, prompt ${row['promptIdx'] ?? 0}`;
      const passed = row['success'] === true;
      return {
        suite,
        test: nameOf(provider === undefined ? test : `${test} [${provider}]`)!,
        status: passed ? 'passed' : 'failed',
        durationMs: durationIn(row['latencyMs'] ?? undefined, 'ms'),
        errorMessage: passed ? undefined : textOf(firstAt(row, 'error', 'gradingResult.reason')),
        atMs,
        model: provider,
      } satisfies CaseResult;
    });
}

const OUTPUT_CHARS_MAX = 8000;
const OUTPUTS_MAX = 5000;

/** What a test printed is why it failed. A package is told only where it failed without any of its tests. */
export function goResults(lines: readonly Fields[]): readonly CaseResult[] {
  const printed = new Map<string, string>();
  const failedIn = new Set<string>();
  const results: CaseResult[] = [];
  for (const line of lines) {
    const action = String(line['Action']);
    const where = nameOf(line['Package']) ?? nameOf(line['ImportPath']) ?? 'package';
    const test = nameOf(line['Test']);
    const key = `${where} ${test ?? ''}`;
    if (action === 'output' || action === 'build-output') {
      const before = printed.get(key) ?? '';
      const text = typeof line['Output'] === 'string' ? line['Output'] : '';
      if (
        before.length < OUTPUT_CHARS_MAX &&
        (printed.size < OUTPUTS_MAX || printed.has(key)) &&
        !/^(?:===|---) /.test(text.trimStart())
      )
        printed.set(key, before + text);
      continue;
    }
    if (action !== 'pass' && action !== 'fail' && action !== 'skip') continue;
    if (action === 'fail' && test !== undefined) failedIn.add(where);
    const isLone = test === undefined && action === 'fail' && !failedIn.has(where);
    if (test === undefined && !isLone) continue;
    const built = nameOf(line['FailedBuild']);
    const said = printed.get(key) ?? (built === undefined ? undefined : printed.get(`${built} `));
    printed.delete(key);
    results.push({
      suite: where,
      test: test ?? (built === undefined ? 'package' : 'builds'),
      status: action === 'pass' ? 'passed' : action === 'fail' ? 'failed' : 'skipped',
      durationMs: durationIn(line['Elapsed'] ?? undefined, 's'),
      errorMessage: action === 'fail' ? said?.trim() || undefined : undefined,
      atMs: timeOf(line['Time']),
    });
  }
  return results;
}
