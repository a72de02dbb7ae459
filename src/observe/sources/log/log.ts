/** Plain logs: whatever programs write line by line, with times and levels found where they stand. */
import { fileSource, pathKey } from '../../files/file-source.ts';
import { delimiterOf } from '../../reading/csv.ts';
import { timeInLine } from '../../reading/line-time.ts';
import { rolesOf } from '../../reading/roles.ts';
import { linesOf } from '../../reading/sample-reading.ts';
import { timeOf } from '../../reading/times.ts';
import { fieldsIn } from '../../reading/values.ts';
import { zoneKey, zoneMinutesOf } from '../../reading/zone.ts';
import type { Recognised, Sample, SourceKind } from '../../types.ts';
import { criLine, dockerLine } from './envelope.ts';
import { logDecoder } from './log-decoder.ts';
import { logfmtOf } from './record-line.ts';

const keys = { path: pathKey, zone: zoneKey };

export const log: SourceKind<typeof keys> = {
  kind: 'log',
  about:
    'plain or JSON logs of any program, containers and web servers too; zone is that of times without one (+02:00)',
  keys,
  place: ({ path }) => path,
  open: ({ path, zone }, ports) => {
    const decoder = logDecoder(zone === undefined ? undefined : zoneMinutesOf(zone));
    return fileSource(
      path,
      { wanted: { extensions: ['log', 'out', 'err', 'json', 'txt'] }, decoder },
      ports,
    );
  },
  recognise,
};

/** Any time will do to see that a line has one. */
const HINTS = { modifiedMs: Date.UTC(2030, 0, 1), lastMs: null, zoneMinutes: 0 };

function recognise(sample: Sample): Recognised | undefined {
  const lines = linesOf(sample);
  const first = lines[0];
  if (first === undefined || sample.head.includes('\0')) return undefined;
  let [records, timed, more] = [0, 0, 0];
  const what = new Map<string, number>();
  for (const line of lines) {
    const form = formOf(line);
    if (form === 'more') more++;
    else if (form === 'timed') timed++;
    else if (form !== undefined) records++;
    if (form !== undefined && form !== 'more') what.set(form, (what.get(form) ?? 0) + 1);
  }
  const own = records + timed;
  const share = own / Math.max(1, lines.length - more);
  if (own === 0 || share < 0.5 || (own === 1 && lines.length > 1 && more === 0)) return undefined;
  if (timed > records && isTable(lines)) return undefined;
  // One line is little to go by: it must begin as lines of logs do.
  if (own === 1 && timed === 1 && (timeInLine(first, HINTS)?.start ?? 2) > 1) return undefined;
  const name = [...what].sort((a, b) => b[1] - a[1])[0]![0];
  const certainty = own === 1 ? 0.65 : Math.min(0.85, (records > timed ? 0.5 : 0.55) + 0.3 * share);
  return { certainty, what: NAMES[name]! };
}

const NAMES: Readonly<Record<string, string>> = {
  json: 'Log with one JSON object per line',
  docker: 'Log of a container (docker, json-file)',
  cri: 'Log of a container (Kubernetes)',
  logfmt: 'Log in logfmt',
  timed: 'Plain log',
};

function formOf(line: string): string | undefined {
  if (/^(?:\s|Traceback |Caused by|at )/.test(line)) return 'more';
  const record = fieldsIn(line);
  if (record !== undefined) {
    if (dockerLine(record) !== undefined) return 'docker';
    const roles = rolesOf(record);
    const says =
      roles.message !== undefined && (roles.level !== undefined || roles.logger !== undefined);
    return timeOf(roles.time?.value) !== undefined && says ? 'json' : undefined;
  }
  if (criLine(line) !== undefined) return 'cri';
  const pairs = logfmtOf(line);
  if (pairs !== undefined) {
    const roles = rolesOf(pairs);
    return timeOf(roles.time?.value) !== undefined ? 'logfmt' : undefined;
  }
  return timeInLine(line, HINTS) === undefined ? undefined : 'timed';
}

/** Rows with a header: the first line has no time, and as many cells as all others. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 2 || timeInLine(lines[0]!, HINTS) !== undefined) return false;
  const found = delimiterOf(lines.slice(0, 50));
  return found !== undefined && found.share >= 0.95;
}
