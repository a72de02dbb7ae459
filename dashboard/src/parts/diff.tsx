/** The exact change, from its bytes. Characters that cannot be seen are shown by their code. */
import { Fragment, useMemo } from 'react';
import { type DiffLine, diffLines, pairs } from '../diff-lines.ts';
import { pieces } from '../hidden.ts';

export function Diff({ diff, isSplit }: { readonly diff: string; readonly isSplit: boolean }) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  return (
    <section className="diff" tabIndex={0} aria-label="The exact lines">
      <table>
        <tbody>{isSplit ? pairs(lines).map(splitRow) : lines.map(unifiedRow)}</tbody>
      </table>
    </section>
  );
}

const SIGNS = { add: '+', remove: '−', same: ' ', hunk: '', file: '' } as const;

function unifiedRow(line: DiffLine, at: number) {
  if (line.kind === 'hunk' || line.kind === 'file') return acrossRow(line, at, 4);
  return (
    <tr key={at} className={line.kind}>
      <td className="no">{line.before}</td>
      <td className="no">{line.after}</td>
      <td className="sign">{SIGNS[line.kind]}</td>
      <td>
        <Text line={line.text} />
      </td>
    </tr>
  );
}

function splitRow({ left, right, across }: ReturnType<typeof pairs>[number], at: number) {
  if (across !== undefined) return acrossRow(across, at, 4);
  return (
    <tr key={at}>
      {[left, right].map((line, side) => (
        <Fragment key={side}>
          <td className={`no ${line?.kind ?? ''}`}>{side === 0 ? line?.before : line?.after}</td>
          <td className={`half ${line?.kind ?? ''}`}>
            {line === undefined ? null : <Text line={line.text} />}
          </td>
        </Fragment>
      ))}
    </tr>
  );
}

function acrossRow(line: DiffLine, at: number, columns: number) {
  return (
    <tr key={at} className={line.kind}>
      <td colSpan={columns}>
        <Text line={line.text} />
      </td>
    </tr>
  );
}

export function Text({ line }: { readonly line: string }) {
  return pieces(line).map(({ text, mark }, at) =>
    mark === undefined ? (
      <Fragment key={at}>{text}</Fragment>
    ) : (
      <mark key={at} title={mark}>
        {text}
      </mark>
    ),
  );
}
