/** How a pattern went over time at its place, when it began, and examples of it. */
import { isoTime } from '../base/index.ts';
import type { PatternSeries } from '../contracts/pattern.ts';
import { readPattern } from '../diagnose/index.ts';
import { findEvents, Telemetry } from '../observe/index.ts';
import { mask } from '../sanitise/index.ts';
import { type AppContext, withLoop } from './context.ts';
import { shownEvent } from './events.ts';
import { byHour } from './overview.ts';
import { findOnePattern } from './patterns.ts';
import { isRefusal, type Refusal } from './refusal.ts';

const DAY_MS = 86_400_000;
/** As long as windows may be (OBS-7). */
const LOOKED_BACK_MS = 14 * DAY_MS;
const EXAMPLES = 3;

/** `given`: its id, or a unique prefix of it. */
export function patternSeries(
  context: AppContext,
  given: string,
): Promise<PatternSeries | Refusal> {
  return withLoop(context, {}, async ({ store }, { ports }): Promise<PatternSeries | Refusal> => {
    const row = await findOnePattern(store, given);
    if (isRefusal(row)) return row;
    const pattern = (await readPattern(store, row.id))!;
    const { agent, tool, whyNow } = pattern;
    const toMs = await ports.telemetry.nowMs();
    const window = { fromMs: toMs - LOOKED_BACK_MS, toMs };
    const all = await new Telemetry(ports.telemetry).callHours(window);
    const here = all.filter((one) => one.agent === agent && one.tool === tool);
    const named = { ...(agent === '' ? {} : { agent }), ...(tool === '' ? {} : { tool }) };
    const seen = { fromMs: pattern.firstAtMs, toMs: pattern.lastAtMs + 1 };
    const { events } = await findEvents(ports.telemetry, {
      ...named,
      window: seen,
      failed: true,
      limit: EXAMPLES,
    });
    const since = whyNow?.since ?? null;
    return {
      id: row.id,
      template: mask(pattern.template).text,
      hours: byHour(here).map(({ atMs, calls, failed }) => ({ at: isoTime(atMs), calls, failed })),
      since: since && {
        at: isoTime(since.atMs),
        low: isoTime(since.lowMs),
        high: isoTime(since.highMs),
      },
      endedAt: whyNow?.endedAtMs == null ? null : isoTime(whyNow.endedAtMs),
      commit: whyNow?.commit ?? null,
      during: whyNow?.during ?? null,
      otherwise: whyNow?.otherwise ?? null,
      examples: events.map(shownEvent).reverse(),
    };
  });
}
