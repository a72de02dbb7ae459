/** How Hone itself is doing: M1 the last cycle, M2 the queue, M3 how long cycles take. Pure. */

export type HealthState = 'ok' | 'warning' | 'error' | 'unknown';

export interface HealthCheck {
  readonly id: 'M1' | 'M2' | 'M3';
  readonly state: HealthState;
  /** What was measured, in one plain line. */
  readonly text: string;
}

export interface OwnFigures {
  readonly nowMs: number;
  readonly lastCycleMs: number | null;
  /** Units of work that are due and not done. */
  readonly queue: number;
  /** Active time of the newest cycles, any order. */
  readonly cycleActiveMs: readonly number[];
}

const HOUR_MS = 3_600_000;

export function ownHealth(figures: OwnFigures): HealthCheck[] {
  return [lastCycle(figures), queue(figures), cycleTime(figures)];
}

export function worst(checks: readonly HealthCheck[]): HealthState {
  const order: readonly HealthState[] = ['error', 'warning', 'ok', 'unknown'];
  return order.find((state) => checks.some((check) => check.state === state)) ?? 'unknown';
}

function lastCycle({ nowMs, lastCycleMs }: OwnFigures): HealthCheck {
  if (lastCycleMs === null) return { id: 'M1', state: 'unknown', text: 'no cycle has run yet' };
  const hours = (nowMs - lastCycleMs) / HOUR_MS;
  return {
    id: 'M1',
    state: hours < 24 ? 'ok' : 'error',
    text: `last cycle ${hours < 1 ? 'less than an hour' : `${Math.floor(hours)} h`} ago`,
  };
}

function queue({ queue: waiting }: OwnFigures): HealthCheck {
  const state = waiting < 10 ? 'ok' : waiting < 50 ? 'warning' : 'error';
  return { id: 'M2', state, text: waiting === 0 ? 'no work is due' : `${waiting} due` };
}

function cycleTime({ cycleActiveMs }: OwnFigures): HealthCheck {
  if (cycleActiveMs.length === 0) return { id: 'M3', state: 'unknown', text: 'no cycle to time' };
  const sorted = [...cycleActiveMs].sort((a, b) => a - b);
  const p95 = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)]!;
  return {
    id: 'M3',
    state: p95 < HOUR_MS ? 'ok' : 'error',
    text: `95 of 100 cycles take at most ${p95 < 1000 ? `${Math.max(1, Math.ceil(p95))} ms` : `${Math.round(p95 / 1000)} s`}`,
  };
}
