/** Timing for ratios: what is measured and its floor take turns, so that both meet the same noise. */

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function sortedNumbers(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export const median = (values: readonly number[]): number => percentile(sortedNumbers(values), 0.5);

/**
 * Milliseconds of each call, the two in turns of `block` calls. `check` sees what each measured call
 * returned, outside its time.
 */
export async function takeTurns<T>(options: {
  measured: () => T | Promise<T>;
  floor: () => unknown;
  count: number;
  block: number;
  check?: (result: T) => void;
}): Promise<{ measured: number[]; floor: number[] }> {
  const times = { measured: [] as number[], floor: [] as number[] };
  for (let done = 0; done < options.count; done += options.block) {
    for (const which of ['floor', 'measured'] as const) {
      for (let i = 0; i < options.block; i++) {
        const startMs = performance.now();
        const pending = options[which]();
        const result: unknown = pending instanceof Promise ? await pending : pending;
        times[which].push(performance.now() - startMs);
        if (which === 'measured') options.check?.(result as T);
      }
    }
  }
  return times;
}

/** Calls per second of `workers` that each do one after the other for `ms`; `check` sees each result. */
export async function ratePerSecond<T>(
  work: (worker: number) => Promise<T>,
  options: { workers: number; ms: number; check?: (result: T) => void },
): Promise<number> {
  const startMs = performance.now();
  let count = 0;
  const one = async (worker: number) => {
    while (performance.now() - startMs < options.ms) {
      const result = await work(worker);
      options.check?.(result);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: options.workers }, (_, worker) => one(worker)));
  return (count * 1000) / (performance.now() - startMs);
}
