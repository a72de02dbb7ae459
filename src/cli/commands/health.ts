/** `hone health`: how Hone has done over the last weeks. */
import { trackRecord } from '../../app/track-record.ts';
import type { TrackRecord, TrackRecordInput } from '../../contracts/track-record.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { fields } from '../layout.ts';
import { counted, duration, minute } from '../quantities.ts';

export function health(context: Context, input: TrackRecordInput): Promise<number> {
  return answer(context, trackRecord(context, input), (found) => text(found, context.io.columns));
}

const STATES = { ok: 'ok', warning: 'WARNING', error: 'ERROR', unknown: 'too few to judge' };

function text({ from, measures, decisions, confidence }: TrackRecord, columns: number): string {
  const { medianMs, longestSince } = decisions;
  const rows: [string, string][] = [
    ['Since', minute(from)],
    ...measures.map(({ id, state, text: found }): [string, string] => [
      id,
      `${found} (${STATES[state]})`,
    ]),
    [
      'People',
      `approved ${decisions.approved}, rejected ${decisions.rejected}${medianMs === null ? '' : `, half of them within ${duration(medianMs)}`}`,
    ],
    ...(decisions.byHone === 0
      ? []
      : [['Hone', `answered ${decisions.byHone} by itself`] as [string, string]]),
    [
      'Waiting',
      longestSince === null
        ? 'nothing'
        : `${counted(decisions.waiting, 'proposal')}, since ${minute(longestSince)} at the longest`,
    ],
    ...confidence
      .filter(({ count }) => count > 0)
      .map(({ count, said, right }): [string, string] => [
        `${Math.round(said! * 100)} % sure`,
        `right ${right} of ${count} times`,
      ]),
  ];
  const none = confidence.every(({ count }) => count === 0);
  return fields(
    none ? [...rows, ['Sure', 'no change has shown yet whether its cause was right']] : rows,
    columns,
  );
}
