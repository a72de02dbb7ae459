/** One of four processes: appends, times each append and how long its event loop was blocked. */
import { assertCommitted, entry, openFile } from './bench-store.ts';

const [folder, countText] = process.argv.slice(2);
const store = await openFile(folder!);
await store.commit({ entries: [entry(0)] }); // what is loaded at first use is start-up, not appending
process.send!('ready');
await new Promise((resolve) => process.once('message', resolve));

const TICK_MS = 1;
let blockedMs = 0;
let tickedAt = performance.now();
const ticker = setInterval(() => {
  const now = performance.now();
  blockedMs = Math.max(blockedMs, now - tickedAt - TICK_MS);
  tickedAt = now;
}, TICK_MS);

const latenciesMs: number[] = [];
for (let number = 0; number < Number(countText); number++) {
  const startMs = performance.now();
  const result = await store.commit({ entries: [entry(number)] });
  latenciesMs.push(performance.now() - startMs);
  assertCommitted(result);
}
clearInterval(ticker);
await store.close();
process.send!({ latenciesMs, blockedMs });
process.disconnect?.();
