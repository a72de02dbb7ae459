/** Reports of tests. A report is a whole file that is written anew by every run. */

import {
  goResults,
  isGoLine,
  isJest,
  isPlaywright,
  isPromptfoo,
  isPytest,
  junitResults,
  readerOf,
} from '../../../report/index.ts';
import { fileSource, pathKey } from '../../files/file-source.ts';
import { DOCUMENT_BYTES_MAX } from '../../reading/both-forms.ts';
import { valuesOf } from '../../reading/documents.ts';
import { NOT_JSON, refused } from '../../reading/records.ts';
import { documentOf, recordsOf } from '../../reading/sample-reading.ts';
import { isFields, withoutMark } from '../../reading/values.ts';
import type { Decoded, Decoder, Recognised, Sample, SourceKind, StreamAbout } from '../../types.ts';
import { resultEvents } from './results.ts';

const keys = { path: pathKey };

export const testReport: SourceKind<typeof keys> = {
  kind: 'test-report',
  about:
    'results of tests: JUnit XML, JSON of Playwright, Vitest, Jest, pytest-json-report and promptfoo, go test -json',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    fileSource(
      path,
      {
        wanted: { extensions: ['xml', 'json', 'jsonl'] },
        decoder: testReportDecoder,
        unit: 'document',
        payloadBytesMax: DOCUMENT_BYTES_MAX,
      },
      ports,
    ),
  recognise,
};

export const testReportDecoder: Decoder<null> = {
  start: null,
  decode: (payload, _, about) => ({ records: reportEvents(payload, about), state: null }),
};

function reportEvents(payload: string, about: StreamAbout): readonly Decoded[] {
  if (withoutMark(payload).trimStart().startsWith('<')) {
    const results = junitResults(payload);
    return results === undefined
      ? [refused('It is no XML with the results of tests.')]
      : resultEvents(results, about);
  }
  const { values, broken } = valuesOf(payload);
  if (values.length === 0) return [NOT_JSON];
  const lines = values.filter(isFields).filter(isGoLine);
  if (lines.length > 0) {
    const events = resultEvents(goResults(lines), about);
    return broken > 0 ? [...events, NOT_JSON] : events;
  }
  return values.flatMap((report) => {
    const reader = isFields(report) ? readerOf(report) : undefined;
    if (reader === undefined || !isFields(report))
      return [refused('It is no report of tests that is known.')];
    return resultEvents(reader(report), about);
  });
}

function recognise(sample: Sample): Recognised | undefined {
  const head = withoutMark(sample.head).trimStart();
  if (head.startsWith('<')) {
    const root = /<(testsuites?)[\s>/]/.exec(head.slice(0, 4096));
    const first = /<([A-Za-z][\w:.-]{0,60})/.exec(
      head.slice(0, 4096).replace(/<[?!][^>]{0,500}>/g, ''),
    );
    return root !== null && first?.[1] === root[1]
      ? { certainty: 0.97, what: 'JUnit XML' }
      : undefined;
  }
  const lines = recordsOf(sample);
  if (lines !== undefined && lines.length > 1)
    return lines.filter(isGoLine).length >= 0.9 * lines.length
      ? { certainty: 0.96, what: 'Output of go test -json' }
      : undefined;
  const report = documentOf(sample);
  if (!isFields(report)) return undefined;
  const what = whatOf(report, sample);
  return what === undefined ? undefined : { certainty: 0.95, what };
}

/** Of a long report only the beginning is there, and what counts may stand at its end. */
function whatOf(report: Parameters<typeof isJest>[0], { isWhole }: Sample): string | undefined {
  if (
    isPlaywright(report) ||
    (!isWhole && isFields(report['config']) && Array.isArray(report['suites']))
  )
    return 'Playwright JSON';
  if (isJest(report)) return 'Vitest or Jest JSON';
  if (isPromptfoo(report)) return 'Results of promptfoo';
  if (isPytest(report) && report['created'] !== undefined) return 'pytest-json-report';
  return isGoLine(report) ? 'Output of go test -json' : undefined;
}
