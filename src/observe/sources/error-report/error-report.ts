/** Reports of single errors: a file for each (`reports/errors/*.json`), and events as Sentry keeps them. */
import { pathKey } from '../../files/file-source.ts';
import { bothForms, DOCUMENT_BYTES_MAX } from '../../reading/both-forms.ts';
import { valuesOf } from '../../reading/documents.ts';
import { event, NOT_JSON, refused, sessionOfDay, stemOf } from '../../reading/records.ts';
import { countIn, errorIn, nameIn, rolesOf, timeIn } from '../../reading/roles.ts';
import { documentOf, objectsOf, recordsOf } from '../../reading/sample-reading.ts';
import { timeOf } from '../../reading/times.ts';
import {
  type Fields,
  fieldsIn,
  firstAt,
  isFields,
  listOf,
  nameOf,
  textOf,
  valueAt,
} from '../../reading/values.ts';
import type { Decoded, Decoder, Recognised, Sample, SourceKind, StreamAbout } from '../../types.ts';

const keys = { path: pathKey };
const LISTS = ['errors', 'error_reports', 'reports', 'events', 'data', 'items'] as const;

export const errorReport: SourceKind<typeof keys> = {
  kind: 'error-report',
  about: 'reports of errors as JSON, such as reports/errors/*.json, and events of Sentry',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    bothForms(
      path,
      {
        documents: {
          wanted: { extensions: ['json'] },
          decoder: errorDocuments,
          unit: 'document',
          payloadBytesMax: DOCUMENT_BYTES_MAX,
        },
        lines: { wanted: { extensions: ['jsonl', 'ndjson'] }, decoder: errorLines },
      },
      ports,
    ),
  recognise,
};

export const errorLines: Decoder<null> = {
  start: null,
  decode(line, _, about) {
    const report = fieldsIn(line);
    return {
      records: report === undefined ? [NOT_JSON] : reportEvents(report, about),
      state: null,
    };
  },
};

export const errorDocuments: Decoder<null> = {
  start: null,
  decode(payload, _, about) {
    const { values, broken } = valuesOf(payload);
    const reports = values.flatMap((value) => objectsOf(value, ...LISTS));
    const records = reports.flatMap((report) => reportEvents(report, about));
    return {
      records: broken > 0 || values.length === 0 ? [...records, NOT_JSON] : records,
      state: null,
    };
  },
};

/** An envelope of Sentry has headers between its events: they are passed over. */
function reportEvents(report: Fields, about: StreamAbout): Decoded[] {
  if (isEnvelopeHeader(report)) return [];
  return [isSentry(report) ? sentryEvent(report, about) : namedReport(report, about)];
}

function isEnvelopeHeader(report: Fields): boolean {
  const names = Object.keys(report);
  return (
    names.length <= 4 &&
    (names.includes('sent_at') ||
      (names.includes('type') && (names.includes('length') || names.length === 1)))
  );
}

const isSentry = (report: Fields) =>
  isFields(report['exception']) ||
  (report['event_id'] !== undefined && report['platform'] !== undefined) ||
  (report['culprit'] !== undefined && isFields(report['metadata']));

const NO_TIME = refused('The report has no time, nor has its file.', 'wrong_time');

function sentryEvent(report: Fields, about: StreamAbout): Decoded {
  const atMs =
    timeOf(firstAt(report, 'timestamp', 'dateCreated', 'datetime', 'lastSeen', 'received')) ??
    about.modifiedMs;
  if (atMs === null) return NO_TIME;
  // The last one is what was thrown at the end.
  const thrown = listOf(valueAt(report, 'exception.values') ?? report['exception'])
    .filter(isFields)
    .at(-1);
  const kind =
    nameOf(thrown?.['type']) ??
    nameOf(valueAt(report, 'metadata.type')) ??
    nameOf(report['level']) ??
    'error';
  const said =
    textOf(thrown?.['value']) ??
    textOf(
      firstAt(
        report,
        'metadata.value',
        'logentry.formatted',
        'logentry.message',
        'message',
        'title',
      ),
    );
  const id = nameOf(firstAt(report, 'contexts.trace.trace_id', 'event_id', 'eventID', 'id'));
  return event<'task_failure'>({
    kind: 'task_failure',
    atMs,
    session: id ?? sessionOfDay(stemOf(about.name), atMs),
    traceId: nameOf(valueAt(report, 'contexts.trace.trace_id')),
    spanId: nameOf(valueAt(report, 'contexts.trace.span_id')),
    version: nameOf(firstAt(report, 'release', 'release.version')),
    agent:
      nameOf(firstAt(report, 'tags.agent', 'logger', 'project', 'server_name')) ??
      stemOf(about.name),
    task: nameOf(firstAt(report, 'transaction', 'culprit')) ?? stemOf(about.name),
    errorCategory: kind,
    errorMessage: said === undefined ? kind : `${kind}: ${said}`,
    finalStatus: nameOf(report['level']),
  });
}

function namedReport(report: Fields, about: StreamAbout): Decoded {
  const roles = rolesOf(report);
  const atMs = timeIn(roles) ?? about.modifiedMs;
  if (atMs === null) return NO_TIME;
  const error = errorIn(roles);
  const said = error.message ?? textOf(roles.message?.value);
  const trace = textOf(
    firstAt(report, 'stack', 'stacktrace', 'stack_trace', 'traceback', 'error.stack'),
  );
  const category = nameOf(firstAt(report, 'error_category', 'category')) ?? error.code;
  if (said === undefined && trace === undefined && category === undefined)
    return refused('The report names no error.');
  const agent = nameIn(roles.agent);
  return event<'task_failure'>({
    kind: 'task_failure',
    atMs,
    session: nameIn(roles.session) ?? sessionOfDay(stemOf(about.name), atMs),
    traceId: nameIn(roles.trace),
    version: nameIn(roles.version),
    model: nameIn(roles.model),
    agent,
    task: nameIn(roles.task) ?? nameIn(roles.tool) ?? agent ?? stemOf(about.name),
    errorCategory: category ?? nameOf(roles.level?.value) ?? 'error',
    errorMessage:
      said === undefined || trace === undefined || trace.includes(said)
        ? (trace ?? said)
        : `${said}\n${trace}`,
    retries: countIn(roles.retries),
    finalStatus:
      nameOf(firstAt(report, 'final_status', 'finalStatus')) ??
      (typeof roles.status?.value === 'string' ? nameIn(roles.status) : undefined),
  });
}

function recognise(sample: Sample): Recognised | undefined {
  const lines = recordsOf(sample);
  const reports =
    lines !== undefined && lines.length > 1 ? lines : objectsOf(documentOf(sample), ...LISTS);
  const own = reports.slice(0, 20).filter((report) => !isEnvelopeHeader(report));
  if (own.length === 0) return undefined;
  if (own.every(isSentry)) return { certainty: 0.93, what: 'Events of Sentry' };
  if (!own.every(isReport)) return undefined;
  const isPlaced = /(?:^|\/)(?:errors?|crash(?:es)?|failures?)(?:\/|[-_.])/i.test(
    sample.path.slice(-300),
  );
  return { certainty: isPlaced ? 0.85 : 0.7, what: 'Reports of errors' };
}

/** It has an error with a time, and neither an outcome that could be good nor a level that could be lower. */
function isReport(report: Fields): boolean {
  const roles = rolesOf(report);
  if (timeOf(roles.time?.value) === undefined) return false;
  const hasKind = roles.errorCode !== undefined || report['error_category'] !== undefined;
  const isError =
    errorIn(roles).message !== undefined && /err|exception|fail/i.test(roles.error?.key ?? '');
  return (
    isError &&
    (hasKind ||
      roles.task !== undefined ||
      report['stack'] !== undefined ||
      report['traceback'] !== undefined ||
      report['stacktrace'] !== undefined) &&
    roles.success === undefined &&
    roles.latency === undefined &&
    roles.logger === undefined
  );
}
