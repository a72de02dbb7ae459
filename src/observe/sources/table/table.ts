/** Any JSONL or CSV, by a mapping of its columns in `hone.yaml` (`mapping.ts`). */
import type { z } from 'zod';
import { fileSource, pathKey } from '../../files/file-source.ts';
import { delimiterOfHeader, nextRow, UNREADABLE } from '../../reading/csv.ts';
import { NOT_JSON, refused, stemOf } from '../../reading/records.ts';
import { fieldsIn, valueAt, withoutMark } from '../../reading/values.ts';
import { zoneKey, zoneMinutesOf } from '../../reading/zone.ts';
import type { Decoder, SourceKind } from '../../types.ts';
import { columnsKey } from './mapping.ts';
import { recogniseTable } from './recognise-table.ts';
import { type Mapping, mappingOf, rowEvent } from './row-event.ts';

const keys = { path: pathKey, columns: columnsKey, zone: zoneKey };

export const table: SourceKind<typeof keys> = {
  kind: 'table',
  about:
    'any JSONL, CSV or TSV; columns says which column is the time, the agent, the tool, the outcome and so on',
  keys,
  place: ({ path }) => path,
  open: ({ path, columns, zone }, ports) =>
    fileSource(
      path,
      {
        wanted: { extensions: ['csv', 'tsv', 'psv', 'jsonl', 'ndjson'] },
        decoder: tableDecoder(columns, zoneMinutesOf(zone)),
      },
      ports,
    ),
  recognise: recogniseTable,
};

type TableState = {
  /** The places of the mapping's columns, in its order; null before a header was read. */
  readonly at: readonly number[] | null;
  readonly delimiter: string;
  /** A row that goes on in the next line. */
  readonly open: string;
};

export function tableDecoder(
  columns: z.output<typeof columnsKey>,
  zoneMinutes: number,
): Decoder<TableState> {
  const mapping = mappingOf(columns);
  return {
    start: { at: null, delimiter: ',', open: '' },
    decode(line, state, about) {
      const context = { stem: stemOf(about.name), zoneMinutes };
      if (state.open === '' && withoutMark(line).trimStart().startsWith('{')) {
        const record = fieldsIn(line);
        if (record === undefined) return { records: [NOT_JSON], state };
        return { records: [rowEvent(mapping, (path) => valueAt(record, path), context)], state };
      }
      if (state.at === null) return readHeader(mapping, withoutMark(line), state);
      const next = nextRow(state.open, line, state.delimiter);
      if (next === 'unreadable') return { records: [UNREADABLE], state: { ...state, open: '' } };
      if ('open' in next) return { records: [], state: { ...state, open: next.open } };
      const names = columnsOf(mapping);
      const places = state.at;
      const cell = (name: string) => next.cells[places[names.indexOf(name)] ?? -1];
      return { records: [rowEvent(mapping, cell, context)], state: { ...state, open: '' } };
    },
  };
}

const columnsOf = ({ fields }: Mapping) =>
  fields.map(([, rule]) => rule.column).filter((name) => name !== undefined);

/** Until there is a header with the mapping’s columns, lines are refused: one may be missing after a cut. */
function readHeader(mapping: Mapping, line: string, state: TableState) {
  const names = columnsOf(mapping);
  const delimiter = delimiterOfHeader(line);
  const next = nextRow('', line, delimiter);
  const cells =
    typeof next === 'object' && 'cells' in next ? next.cells.map((one) => one.trim()) : [];
  const at = names.map((name) => cells.indexOf(name));
  const missing = names.filter((_, place) => at[place] === -1);
  if (missing.length === 0) return { records: [], state: { at, delimiter, open: '' } };
  const detail = `The table has no header with these columns of the mapping: ${missing.slice(0, 5).join(', ')}.`;
  return { records: [refused(detail)], state };
}
