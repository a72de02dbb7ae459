/** The cycles that ran, the newest first. */
import { isoTime } from '../base/index.ts';
import type { CycleList, CyclesListInput } from '../contracts/cycle.ts';
import { listCycles as listRows } from '../loop/index.ts';
import { type AppContext, withOpened } from './context.ts';
import { pageOf } from './page.ts';

export function listCycles(
  context: AppContext,
  { before, limit }: CyclesListInput,
): Promise<CycleList> {
  return withOpened(context, async ({ store }) => {
    const { shown, next } = pageOf(await listRows(store, limit + 1, before), limit, ({ id }) => id);
    const cycles = shown.map((one) => ({
      id: one.id,
      trigger: one.trigger,
      outcome: one.outcome,
      patterns: one.patterns,
      proposals: one.proposals,
      activeMs: one.activeMs,
      startedAt: isoTime(one.startedAtMs),
      finishedAt: one.finishedAtMs === null ? null : isoTime(one.finishedAtMs),
    }));
    return { cycles, next };
  });
}
