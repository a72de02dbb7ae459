/** A report of tests in any form that is known, told by its content. */
import type { CaseResult } from './case-result.ts';
import { valuesOf } from './documents.ts';
import { goResults, isGoLine, readerOf } from './json-reports.ts';
import { junitResults } from './junit.ts';
import { isFields, withoutMark } from './values.ts';

export type TestReport =
  | { readonly ok: true; readonly results: readonly CaseResult[] }
  | { readonly ok: false; readonly why: 'not_xml' | 'not_json' | 'unknown' };

/** A report of which only a part can be read is none: what is missing may be what failed. */
export function testReportOf(text: string): TestReport {
  if (withoutMark(text).trimStart().startsWith('<')) {
    const results = junitResults(text);
    return results === undefined ? { ok: false, why: 'not_xml' } : { ok: true, results };
  }
  const { values, broken } = valuesOf(text);
  if (values.length === 0 || broken > 0) return { ok: false, why: 'not_json' };
  const reports = values.filter(isFields);
  const lines = reports.filter(isGoLine);
  if (lines.length > 0)
    return lines.length === values.length
      ? { ok: true, results: goResults(lines) }
      : { ok: false, why: 'unknown' };
  const results: CaseResult[] = [];
  for (const report of values) {
    const reader = isFields(report) ? readerOf(report) : undefined;
    if (reader === undefined || !isFields(report)) return { ok: false, why: 'unknown' };
    results.push(...reader(report));
  }
  return { ok: true, results };
}
