/**
 * The single tests of a report in JUnit's XML, which most test runners can write. It comes out of the sandbox, so it is not
 * trusted: what cannot be read is no report.
 */
import { junitResults } from '../../../report/index.ts';

/** Whether it passed, by suite and name. One that was skipped is not there. */
export type TestResults = ReadonlyMap<string, boolean>;

/** Undefined where it is no such report, or one without tests. */
export function junitTests(bytes: Uint8Array): TestResults | undefined {
  const tests = new Map<string, boolean>();
  for (const { suite, test, status } of junitResults(Buffer.from(bytes).toString()) ?? []) {
    if (status === 'skipped') continue;
    const key = suite === undefined ? test : `${suite}: ${test}`;
    // Tests of one name are told apart by nothing: all of them have to pass.
    tests.set(key, status !== 'failed' && tests.get(key) !== false);
  }
  return tests.size === 0 ? undefined : tests;
}
