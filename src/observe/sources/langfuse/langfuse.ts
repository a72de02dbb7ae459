/** Exports of Langfuse: JSON, JSONL and CSV of the UI, of the API and of the blob storage. */
import { pathKey } from '../../files/file-source.ts';
import { bothForms, DOCUMENT_BYTES_MAX } from '../../reading/both-forms.ts';
import { delimiterOfHeader, nextRow, rowsOf, UNREADABLE } from '../../reading/csv.ts';
import { valuesOf } from '../../reading/documents.ts';
import { NOT_JSON, refused } from '../../reading/records.ts';
import { lettersOf } from '../../reading/roles.ts';
import { documentOf, linesOf, objectsOf, recordsOf } from '../../reading/sample-reading.ts';
import { type Fields, fieldsIn, isFields, withoutMark } from '../../reading/values.ts';
import type { Decoder, Recognised, Sample, SourceKind } from '../../types.ts';
import { langfuseEvents, lettered, recordEvent } from './langfuse-events.ts';

const keys = { path: pathKey };

export const langfuse: SourceKind<typeof keys> = {
  kind: 'langfuse',
  about:
    'exports of Langfuse: traces, observations and scores as JSON, JSONL or CSV, from the UI, the API or blob storage',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    bothForms(
      path,
      {
        documents: {
          wanted: { extensions: ['json'] },
          decoder: langfuseDocuments,
          unit: 'document',
          payloadBytesMax: DOCUMENT_BYTES_MAX,
        },
        lines: {
          wanted: { extensions: ['jsonl', 'ndjson', 'csv'] },
          decoder: langfuseLines,
          payloadBytesMax: 1024 * 1024,
        },
      },
      ports,
    ),
  recognise,
};

export const langfuseDocuments: Decoder<null> = {
  start: null,
  decode(payload) {
    const { values, broken } = valuesOf(payload);
    const records = values.flatMap((value) => langfuseEvents(value));
    return {
      records: broken > 0 || values.length === 0 ? [...records, NOT_JSON] : records,
      state: null,
    };
  },
};

/** Of CSV: the columns by their letters, those that nobody knows as an empty text. */
type LinesState = {
  readonly columns: readonly string[] | null;
  readonly delimiter: string;
  readonly open: string;
};

const COLUMNS = new Set(
  'id traceid type name starttime endtime timestamp level statusmessage model providedmodelname parentobservationid usage usagedetails costdetails totalcost calculatedtotalcost inputusage outputusage prompttokens completiontokens inputtokens outputtokens latency sessionid tracename release version userid value stringvalue datatype source input output errorcount createdat'.split(
    ' ',
  ),
);

export const langfuseLines: Decoder<LinesState> = {
  start: { columns: null, delimiter: ',', open: '' },
  decode(line, state) {
    if (state.open === '' && withoutMark(line).trimStart().startsWith('{')) {
      const record = fieldsIn(line);
      return { records: record === undefined ? [NOT_JSON] : langfuseEvents(record), state };
    }
    if (state.columns === null) return header(withoutMark(line), state);
    const next = nextRow(state.open, line, state.delimiter);
    if (next === 'unreadable') return { records: [UNREADABLE], state: { ...state, open: '' } };
    if ('open' in next) return { records: [], state: { ...state, open: next.open } };
    const row: Record<string, string> = {};
    for (const [at, name] of state.columns.entries())
      if (name !== '') row[name] = next.cells[at] ?? '';
    return { records: [recordEvent(lettered(row))], state: { ...state, open: '' } };
  },
};

function header(line: string, state: LinesState) {
  const delimiter = delimiterOfHeader(line);
  const next = nextRow('', line, delimiter);
  const cells = typeof next === 'object' && 'cells' in next ? next.cells : [];
  const columns = cells.map(lettersOf).map((name) => (COLUMNS.has(name) ? name : ''));
  const known = columns.filter((name) => name !== '').length;
  if (known < 3 || !columns.includes('id'))
    return { records: [refused('The table has no header with the columns of Langfuse.')], state };
  return { records: [], state: { columns, delimiter, open: '' } };
}

/** Keys that only its records have beside each other. */
function recognise(sample: Sample): Recognised | undefined {
  const record = recordOf(sample);
  if (record === undefined) return undefined;
  const fields = lettered(record);
  const has = (...names: readonly string[]) =>
    names.every((name) => fields.has(name) || name in emptyOf(record));
  const type = String(fields.get('type')).toUpperCase();
  if (
    has('traceid', 'starttime') &&
    /^(?:SPAN|GENERATION|EVENT|TOOL|AGENT|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/.test(
      type,
    )
  )
    return { certainty: 0.96, what: 'Langfuse observations' };
  if (has('id', 'timestamp') && Array.isArray(record['observations']))
    return { certainty: 0.95, what: 'Langfuse trace' };
  if (has('traceid', 'name', 'value', 'source') && (has('datatype') || has('stringvalue')))
    return { certainty: 0.93, what: 'Langfuse scores' };
  if (
    has('id', 'timestamp', 'projectid') &&
    (has('bookmarked') || has('htmlpath') || has('public'))
  )
    return { certainty: 0.93, what: 'Langfuse traces' };
  return undefined;
}

/** Keys with nothing in them count as well. */
const emptyOf = (record: Fields) =>
  Object.fromEntries(
    Object.keys(record)
      .slice(0, 120)
      .map((key) => [lettersOf(key), true]),
  );

function recordOf(sample: Sample): Fields | undefined {
  const lines = recordsOf(sample);
  const value = lines === undefined || lines.length < 2 ? documentOf(sample) : undefined;
  const found = value === undefined ? lines?.[0] : objectsOf(value, 'data', 'traces')[0];
  if (found !== undefined)
    return isFields(found['trace'])
      ? { ...found['trace'], observations: found['observations'] }
      : found;
  const [head, row] = rowsOf(linesOf(sample).slice(0, 30), ',');
  if (head === undefined || row === undefined || head.length < 4 || head.length !== row.length)
    return undefined;
  return Object.fromEntries(
    head.map((name, at) => [name.trim().replace(/^"|"$/g, ''), row[at] ?? '']),
  );
}
