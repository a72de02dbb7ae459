/** Numbers, times and durations as people read them. */

/** `1 file`, `3 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `2026-03-02 09:12 UTC`. */
export function minute(time: string): string {
  return `${minuteOnly(time)} UTC`;
}

/** Where a title says that times are UTC. */
export function minuteOnly(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 3_600_000
    ? `${Math.round(ms / 6000) / 10} min`
    : `${Math.round(ms / 360_000) / 10} h`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e5) / 10} MB`;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** A bar for each number, the largest full. */
export function bars(numbers: readonly number[]): string {
  const most = Math.max(...numbers, 1);
  return numbers
    .map((one) => (one === 0 ? '·' : BARS[Math.ceil((one / most) * BARS.length) - 1]!))
    .join('');
}
