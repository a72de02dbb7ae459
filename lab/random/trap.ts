/**
 * A failure whose obvious cure hurts: some calls hang, and those that are waited for longer take the places that others
 * need. It hurts the agent itself at its peak, or a partner that shares the places. One that begins late has room for
 * longer waits until the agent is asked more.
 */
import type { Dice } from './dice.ts';
import { addAgent, drawTool, peakOf, rounded, type WorldSpec } from './fleet-spec.ts';
import { freshName, toolName } from './names.ts';

export interface Trap {
  readonly agent: string;
  readonly tool: string;
  readonly timeoutMs: number;
  /** Who shares the places, and is well as long as nobody waits longer. */
  readonly partner?: string | undefined;
  /** From when on waiting longer hurts, where it does not at first. */
  readonly lateHour?: number | undefined;
}

/** How much more the agent is asked late: beyond what its longer waits alone take, so that these do no harm before. */
const GROWTH = { min: 2, max: 2.8 };
/** Days after the cure was made, and with a day left in which it is found before the last one, which is judged. */
const LATE = { min: 78, max: 94 };

export function plantTrap(spec: WorldSpec, dice: Dice, { isLate = false } = {}): Trap {
  const provider = freshName(dice, spec.taken);
  const tool = toolName(dice, spec.taken);
  const pool = freshName(dice, spec.taken);
  const timeoutMs = dice.chance(0.4)
    ? dice.whole(2, 4) * 60_000
    : rounded(dice.between(140_000, 260_000));
  const median_ms = dice.whole(2000, 5000);
  const hang = dice.between(0.07, 0.11);
  const slow = dice.between(0.03, 0.06);
  spec.world.tools[tool] = {
    ...drawTool(dice, provider),
    latency: { median_ms, sigma: 0.4 },
    kinds: [
      { share: hang, median_ms: 590_000, sigma: 0.02 },
      { share: slow, median_ms: Math.round(timeoutMs * dice.between(1.1, 1.3)), sigma: 0.08 },
    ],
    pool,
    changes: [],
  };
  const growth = isLate ? dice.of('late').between(GROWTH.min, GROWTH.max) : 1;
  const callsPerHour = dice.between(130, 220) / Math.sqrt(growth);
  const agent = addAgent(spec, dice, { tools: [tool], callsPerHour });
  agent.tasks = [{ name: agent.tasks[0]!.name, calls: [tool], weight: 1 }];
  Object.assign(agent.tools[tool]!, { timeout: timeoutMs, retries: 0 });
  const peak = peakOf(spec, agent.perHour);
  const heldMs = (1 - hang - slow) * median_ms + (hang + slow) * timeoutMs;
  const load = (peak * growth * heldMs) / 3_600_000;
  const above = dice.between(0.7, 0.85);
  const hasPartner = dice.chance(0.5);
  // A partner's calls are short: they fail as soon as the places are busy, so that they must seldom be before.
  const places = hasPartner ? (load + 2.5 * Math.sqrt(load)) / above : load + 1.2 * Math.sqrt(load);
  spec.world.pools![pool] = {
    capacity: Math.ceil(places),
    when_full: dice.pick(['refuse', 'refuse', 'wait'] as const),
    keeps_working: false,
    when_busy: { above, slower: dice.between(10, 20) },
  };
  const partner = hasPartner ? addPartner(spec, dice, { pool, provider }) : undefined;
  return { agent: agent.name, tool, timeoutMs, partner, lateHour: grow() };

  function grow(): number | undefined {
    if (!isLate) return undefined;
    const from_hour = dice.of('hour').whole(LATE.min, LATE.max);
    spec.traffic.changes.push({ from_hour, factor: growth, agents: [agent.name] });
    return from_hour;
  }
}

function addPartner(
  spec: WorldSpec,
  dice: Dice,
  { pool, provider }: { pool: string; provider: string },
): string {
  const tool = toolName(dice, spec.taken);
  const latency = { median_ms: dice.whole(300, 1500), sigma: 0.3 };
  spec.world.tools[tool] = { ...drawTool(dice, provider), latency, kinds: [], pool, changes: [] };
  const partner = addAgent(spec, dice, { tools: [tool], callsPerHour: dice.between(15, 50) });
  Object.assign(partner.tools[tool]!, { timeout: rounded(latency.median_ms * 5), retries: 0 });
  return partner.name;
}
