/** Timing for ratios: what is measured and its floor take turns, so that both meet the same noise. */

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function sortedNumbers(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export const median = (values: readonly number[]): number => percentile(sortedNumbers(values), 0.5);

/** Milliseconds of each call, the two in turns of `block` calls. */
export async function takeTurns(options: {
  measured: () => unknown;
  floor: () => unknown;
  count: number;
  block: number;
}): Promise<{ measured: number[]; floor: number[] }> {
  const result = { measured: [] as number[], floor: [] as number[] };
  for (let done = 0; done < options.count; done += options.block) {
    for (const which of ['floor', 'measured'] as const) {
      for (let i = 0; i < options.block; i++) {
        const startMs = performance.now();
        const pending = options[which]();
        if (pending instanceof Promise) await pending;
        result[which].push(performance.now() - startMs);
      }
    }
  }
  return result;
}

/** Calls per second of `workers` that each do one after the other for `ms`. */
export async function ratePerSecond(
  work: (worker: number) => Promise<unknown>,
  options: { workers: number; ms: number },
): Promise<number> {
  const startMs = performance.now();
  let count = 0;
  const one = async (worker: number) => {
    while (performance.now() - startMs < options.ms) {
      await work(worker);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: options.workers }, (_, worker) => one(worker)));
  return (count * 1000) / (performance.now() - startMs);
}
