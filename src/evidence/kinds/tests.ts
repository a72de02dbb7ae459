/** Results of tests: at least one ran, and none failed. What was flaky passed, and is counted. */
import { testReportOf } from '../../report/index.ts';
import type { EvidenceValidator } from '../types.ts';

const NAMED_MAX = 5;
const WHY = {
  not_xml: 'It is cut off, or it is not XML with the results of tests.',
  not_json: 'It is cut off, or it is not JSON.',
  unknown:
    'It is no report of tests that is known: JUnit XML, JSON of Playwright, Vitest, Jest or pytest, or go test -json.',
} as const;

export const tests: EvidenceValidator = {
  kind: 'tests',
  about: 'JUnit XML; JSON of Playwright, Vitest, Jest and pytest; go test -json',
  mediaType: 'text/plain',
  judge({ text }, _, run) {
    const report = testReportOf(text);
    const no = (problem: string, found = {}) => ({ isValid: false, problem, found });
    if (run !== undefined && run.ended !== 'exited')
      return no(`The tests did not end: ${run.ended}.`);
    if (!report.ok) {
      // Without a report only whether all passed is known, from the program that ran them.
      if (run === undefined || run.report !== null) return no(WHY[report.why]);
      const found = { exitCode: run.exitCode ?? -1 };
      if (run.exitCode === 0) return { isValid: true, problem: null, found };
      return no(`The tests ended with exit code ${run.exitCode}.`, found);
    }
    const of = (status: string) => report.results.filter((one) => one.status === status);
    const failed = of('failed');
    const found = {
      passed: of('passed').length,
      failed: failed.length,
      skipped: of('skipped').length,
      flaky: of('flaky').length,
    };
    if (failed.length > 0) {
      const names = failed
        .slice(0, NAMED_MAX)
        .map(({ test }) => test)
        .join(', ');
      const more = failed.length > NAMED_MAX ? ' and others' : '';
      return no(
        `${failed.length} of ${report.results.length} tests failed: ${names}${more}.`,
        found,
      );
    }
    if (found.passed + found.flaky === 0) return no('No test passed, so it shows nothing.', found);
    // A runner that fails beside its report has seen something that the report does not tell.
    if (run !== undefined && run.exitCode !== 0)
      return no(`The command ended with exit code ${run.exitCode}, though no test failed.`, found);
    return { isValid: true, problem: null, found };
  },
};
