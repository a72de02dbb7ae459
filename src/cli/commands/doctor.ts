/** `hone doctor`: looks at everything Hone depends on. A check that fails is a finding, and stops no other one. */

import type { Opened, OpenLoop } from '../../app/context.ts';
import { CHECKS } from '../../app/doctor/list.ts';
import { error, type Finding, type Machine } from '../../app/doctor/types.ts';
import { errorMessage, HoneError } from '../../base/index.ts';
import type { Context } from '../context.ts';
import { type Io, plainLine, present } from '../io.ts';
import { wrap } from '../layout.ts';

interface Told extends Finding {
  readonly check: string;
}

export async function doctor(context: Context): Promise<number> {
  const told: Told[] = [];
  const machine = { context, home: context.home() };
  const skipped: string[] = [];
  const opened = await context.open({ evenLost: true }).catch((cause: unknown) => {
    told.push({ check: 'store', ...unexpected(cause) });
    return undefined;
  });
  try {
    const open =
      opened === undefined
        ? undefined
        : await context.openLoop(opened).catch((cause: unknown) => {
            told.push({ check: 'repository', ...unexpected(cause) });
            return undefined;
          });
    try {
      for (const check of CHECKS) {
        const finding = await lookWith(check, { machine, opened, open });
        if (finding === undefined) skipped.push(check.name);
        else told.push({ check: check.name, ...finding });
      }
    } finally {
      await open?.[Symbol.asyncDispose]();
    }
  } finally {
    await opened?.close();
  }
  const healthy = told.every(({ state }) => state !== 'error');
  present(context.io, { healthy, findings: told, skipped }, () =>
    doctorText(told, skipped, context.io),
  );
  return healthy ? 0 : 1;
}

interface There {
  readonly machine: Machine;
  readonly opened: Opened | undefined;
  readonly open: OpenLoop | undefined;
}

/** Undefined where what the check needs is not there. */
async function lookWith(
  check: (typeof CHECKS)[number],
  { machine, opened, open }: There,
): Promise<Finding | undefined> {
  try {
    if (check.needs === 'machine') return await check.look(machine);
    if (opened === undefined) return undefined;
    if (check.needs === 'store') return await check.look({ ...machine, opened });
    return open === undefined ? undefined : await check.look({ ...machine, opened, open });
  } catch (cause) {
    return unexpected(cause);
  }
}

function unexpected(cause: unknown): Finding {
  const hint = cause instanceof HoneError ? cause.hint : undefined;
  return error(errorMessage(cause), hint ?? 'See docs/guides/when-something-is-wrong.md.');
}

const MARKS = { ok: 'ok', warning: 'warning', error: 'ERROR' } as const;
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

function doctorText(told: readonly Told[], skipped: readonly string[], io: Io): string {
  const lines = told.map(({ check, state, text, remedy }) => {
    const what = wrap(`${MARKS[state]}: ${check}: ${plainLine(text)}`, io.columns).trimEnd();
    const mark = io.style(COLOURS[state], MARKS[state]);
    const todo = remedy === null ? '' : wrap(plainLine(remedy), io.columns, '    ');
    return `${mark}${what.slice(MARKS[state].length)}\n${todo}`;
  });
  const left =
    skipped.length === 0 ? [] : [wrap(`Not looked at: ${skipped.join(', ')}.`, io.columns)];
  return [...lines, ...left].join('');
}
