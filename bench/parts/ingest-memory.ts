/** Collects events in a process of its own, and tells its resident memory after a tenth of them and after all. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TelemetryLines } from './telemetry-lines.ts';
import { openIngest } from './telemetry-store.ts';

const CHUNK = 10_000;

const [folder, seed, count] = process.argv.slice(2);
const events = Number(count);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const residentMb = () => {
  collectGarbage();
  return process.memoryUsage.rss() / 2 ** 20;
};

await using ingest = await openIngest(folder!);
const lines = new TelemetryLines(Number(seed), events);
let early = 0;
for (let done = CHUNK; done <= events; done += CHUNK) {
  ingest.append(Array.from({ length: CHUNK }, () => lines.next()));
  await ingest.collect(CHUNK);
  if (done === Math.floor(events / 10 / CHUNK) * CHUNK) early = residentMb();
}
process.send!({ early, late: residentMb() });
process.disconnect?.();
