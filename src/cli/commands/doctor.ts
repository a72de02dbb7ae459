/** `hone doctor`: looks at everything Hone depends on. */
import { examine } from '../../app/doctor.ts';
import type { Diagnosis } from '../../contracts/doctor.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { type Io, plainLine } from '../io.ts';
import { wrap } from '../layout.ts';

export function doctor(context: Context): Promise<number> {
  return answer(
    context,
    examine(context),
    (found) => doctorText(found, context.io),
    ({ healthy }) => (healthy ? 0 : 1),
  );
}

const MARKS = { ok: 'ok', warning: 'warning', error: 'ERROR' } as const;
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

function doctorText({ findings, skipped }: Diagnosis, io: Io): string {
  const lines = findings.map(({ check, state, text, remedy }) => {
    const what = wrap(`${MARKS[state]}: ${check}: ${plainLine(text)}`, io.columns).trimEnd();
    const mark = io.style(COLOURS[state], MARKS[state]);
    const todo = remedy === null ? '' : wrap(plainLine(remedy), io.columns, '    ');
    return `${mark}${what.slice(MARKS[state].length)}\n${todo}`;
  });
  const left =
    skipped.length === 0 ? [] : [wrap(`Not checked: ${skipped.join(', ')}.`, io.columns)];
  return [...lines, ...left].join('');
}
