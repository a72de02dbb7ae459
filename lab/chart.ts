/** Error rates over time as lines of text, for people who look at a terminal. */
import type { JsonlEvent } from '../src/observe/index.ts';

/** Fewer calls than this in a bin say nothing about its rate. */
const CALLS_MIN = 20;
const BARS = ' ▁▂▃▄▅▆▇█';

export interface ChartOptions {
  readonly fromMs: number;
  readonly toMs: number;
  readonly binMs: number;
  /** Which events count; all tool calls unless given. */
  readonly agent?: string;
  readonly tool?: string;
  /** The rate that fills the height. */
  readonly top: number;
}

export interface Chart {
  readonly bars: string;
  /** Of all calls in the time shown. */
  readonly rate: number;
  /** Of the worst bin with enough calls to tell. */
  readonly worst: number;
}

/** One character per bin; a bin without calls is a dot. */
export function chart(events: readonly JsonlEvent[], options: ChartOptions): Chart {
  const { fromMs, toMs, binMs, top } = options;
  const bins = Math.ceil((toMs - fromMs) / binMs);
  const calls = new Array<number>(bins).fill(0);
  const failed = new Array<number>(bins).fill(0);
  for (const event of events) {
    if (event.event_type !== 'tool_call' || !isWanted(event, options)) continue;
    const atMs = Date.parse(event.timestamp);
    if (atMs < fromMs || atMs >= toMs) continue;
    const bin = Math.floor((atMs - fromMs) / binMs);
    calls[bin]! += 1;
    if (!event.success) failed[bin]! += 1;
  }
  const bars = calls.map((count, bin) => {
    if (count === 0) return '·';
    const height = Math.ceil((failed[bin]! / count / top) * (BARS.length - 1));
    return BARS[Math.min(BARS.length - 1, height)]!;
  });
  const all = calls.reduce((sum, count) => sum + count, 0);
  const bad = failed.reduce((sum, count) => sum + count, 0);
  const telling = calls.map((count, bin) => (count < CALLS_MIN ? 0 : failed[bin]! / count));
  return { bars: bars.join(''), rate: all === 0 ? 0 : bad / all, worst: Math.max(...telling) };
}

function isWanted(
  event: { readonly agent: string; readonly tool: string },
  { agent, tool }: ChartOptions,
): boolean {
  return (
    (agent === undefined || event.agent === agent) && (tool === undefined || event.tool === tool)
  );
}
