export type { CaseResult } from './case-result.ts';
export { type DocumentValues, valuesOf } from './documents.ts';
export {
  DURATION_UNITS,
  type DurationUnit,
  durationAt,
  durationIn,
  durationWithUnit,
  unitInKey,
} from './durations.ts';
export {
  goResults,
  isGoLine,
  isJest,
  isPlaywright,
  isPromptfoo,
  isPytest,
  readerOf,
} from './json-reports.ts';
export { junitResults } from './junit.ts';
export { type TestReport, testReportOf } from './test-report.ts';
export {
  atZone,
  clockAt,
  dateTimeAt,
  epochMs,
  type FoundTime,
  type TimeUnit,
  timeIn,
  timeOf,
  withDay,
  withYear,
  type YearlessTime,
  yearlessAt,
} from './times.ts';
export {
  argumentsOf,
  bounded,
  bytesOf,
  countOf,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstAt,
  isFields,
  listOf,
  nameOf,
  numberOf,
  own,
  parsedJson,
  textOf,
  valueAt,
  withoutMark,
} from './values.ts';
