/** Checks everything Hone depends on. A check that fails is a finding, and does not stop the others. */
import { errorMessage, HoneError } from '../base/index.ts';
import type { Diagnosis } from '../contracts/doctor.ts';
import type { AppContext, Opened, OpenLoop } from './context.ts';
import { CHECKS } from './doctor/list.ts';
import { error, type Finding, type Machine } from './doctor/types.ts';

export async function examine(context: AppContext): Promise<Diagnosis> {
  const findings: Diagnosis['findings'][number][] = [];
  const skipped: string[] = [];
  const machine = { context, home: context.home() };
  const opened = await context.open({ evenLost: true }).catch((cause: unknown) => {
    findings.push({ check: 'store', ...unexpected(cause) });
    return undefined;
  });
  try {
    const open =
      opened === undefined
        ? undefined
        : await context.openLoop(opened).catch((cause: unknown) => {
            findings.push({ check: 'repository', ...unexpected(cause) });
            return undefined;
          });
    try {
      for (const check of CHECKS) {
        const finding = await lookWith(check, { machine, opened, open });
        if (finding === undefined) skipped.push(check.name);
        else findings.push({ check: check.name, ...finding });
      }
    } finally {
      await open?.[Symbol.asyncDispose]();
    }
  } finally {
    await opened?.close();
  }
  const healthy = findings.every(({ state }) => state !== 'error');
  return { healthy, findings, skipped };
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
