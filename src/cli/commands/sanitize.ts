/** `hone sanitize`: a text as Hone would keep it, or a report of what would be replaced. */
import { once } from 'node:events';
import { isRefusal } from '../../app/refusal.ts';
import { sanitiseText } from '../../app/sanitise-text.ts';
import type { SanitiseReport } from '../../contracts/sanitise.ts';
import type { Context } from '../context.ts';
import { type Io, jsonLine, refuse } from '../io.ts';
import { table, wrap } from '../layout.ts';
import { counted } from '../quantities.ts';

export async function sanitize(
  context: Context,
  file: string | undefined,
  { report }: { readonly report: boolean },
): Promise<number> {
  const { io } = context;
  const isText = !report && !io.json;
  const found = await sanitiseText(context, file, {
    stdin: process.stdin.setEncoding('utf8'),
    write: isText ? toStandardOutput(io) : () => Promise.resolve(),
  });
  if (isRefusal(found)) return refuse(io, found);
  if (io.json) io.out(jsonLine(found));
  else if (report) io.out(reportText(found, io));
  else if (found.leftOut > 0) io.err(wrap(leftOutWords(found), io.errorColumns));
  return 0;
}

function toStandardOutput(io: Io): (text: string) => Promise<void> {
  return async (text) => {
    io.out(text);
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  };
}

const leftOutWords = ({ leftOut }: SanitiseReport) =>
  `hone: ${counted(leftOut, 'piece')} could not be sanitised and left out.`;

function reportText(found: SanitiseReport, io: Io): string {
  const { lines, replaced, kinds, leftOut, version } = found;
  const { columns } = io;
  const summary = `${counted(replaced, 'place')} of ${counted(lines, 'line')} would be replaced, by version ${version} of the rules.`;
  const rows = kinds.map(({ kind, count, lines: of }) => [kind, String(count), of.join(', ')]);
  return [
    wrap(summary, columns),
    rows.length === 0
      ? ''
      : table({ head: ['kind', 'count', 'first lines'], rows, isLastProse: true }, columns),
    leftOut > 0 ? wrap(leftOutWords(found), columns) : '',
  ].join('');
}
