/**
 * News whose schedule did not send them: if Hone runs as `hone cycle` from cron, no schedule ever runs, and
 * whoever sends effects next sends the news. This holds the schedule's lease, so that its own run never sends the
 * same news as well.
 */
import { type Lease, Leases } from '../lease/index.ts';
import { channelsOf, overdueTellers, pendingBatch, type Teller } from '../notify/index.ts';
import { nextTime } from '../schedule/index.ts';
import { TOLD_BY } from './schedules.ts';
import type { LoopPorts } from './types.ts';

/** A running `hone up` sends within seconds; a schedule before it may take some minutes. */
const GRACE_MS = 15 * 60_000;

type Late = Teller<keyof typeof TOLD_BY>;

export async function tellLateNews(ports: LoopPorts): Promise<void> {
  const { store, config, killSwitch, holder } = ports;
  const tellers = (Object.keys(TOLD_BY) as (keyof typeof TOLD_BY)[]).map((schedule): Late => {
    const { cron, timezone: timeZone } = config.schedules[schedule];
    const toldByMs = (atMs: number) => nextTime({ cron, timeZone }, atMs) + GRACE_MS;
    return { schedule, severities: TOLD_BY[schedule], toldByMs };
  });
  const late = await overdueTellers(store, tellers, await store.nowMs());
  if (late.length === 0 || !(await killSwitch.allowedSteps()).includes('notify')) return;
  const leases = new Leases(store);
  for (const teller of late) {
    const name = `schedule/${teller.schedule}`;
    const got = await leases.acquire(name, holder, config.lease.ttl);
    if (!got.acquired) continue;
    try {
      await tell(teller, ports, got.lease);
    } finally {
      await leases.release(got.lease);
    }
  }
}

async function tell(teller: Late, { store, config }: LoopPorts, lease: Lease): Promise<void> {
  const { schedule, severities } = teller;
  const channels = channelsOf(config.notify);
  // Read again: the previous lease holder may have sent it. A batch is limited.
  while ((await overdueTellers(store, [teller], await store.nowMs())).length > 0) {
    const batch = await pendingBatch(store, { severities, schedule, dueAtMs: 'late', channels });
    if (batch === undefined) return;
    const { committed } = await store.commit({ ...batch, expect: [lease.fence] });
    if (!committed) return;
  }
}
