/**
 * What agents said went wrong becomes telemetry that diagnosis reads, as lines of a log: many who say the same are a pattern.
 * Lines weigh little and no watch counts them, so that nobody brings a change down by complaining. Submissions are durable,
 * and the position moves with the events in one commit: none is lost, and none is stored twice.
 */
import { readArtifact } from '../artifact/index.ts';
import { type Json, systemRandom } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import { storeFrom } from '../observe/index.ts';
import { type Submission, submissionsFrom } from '../vet/index.ts';
import type { LoopPorts } from './types.ts';

/** No configured source can have this name: it has a colon. */
const FEEDBACK_SOURCE = 'hone:feedback';
const AT_ONCE = 500;
/** On PostgreSQL a commit that began earlier may be seen later: so far back it is looked at again. */
const OVERLAP_MS = 60_000;

/** The time of the newest, and which of the last minute were read. */
interface Read {
  readonly atMs: number;
  readonly ids: readonly string[];
}

type Ports = Pick<LoopPorts, 'store' | 'telemetry' | 'config'>;

/** False where others were always faster; the next look goes on. */
export function collectFeedback({ store, telemetry, config }: Ports): Promise<boolean> {
  const ports = { store: telemetry, settings: config.observe, random: systemRandom };
  return storeFrom(FEEDBACK_SOURCE, ports, async (position) => {
    const last = (position ?? { atMs: 0, ids: [] }) as unknown as Read;
    const fromMs = last.atMs - OVERLAP_MS;
    const limit = AT_ONCE + last.ids.length;
    const found = await submissionsFrom(store, 'feedback', { fromMs, limit });
    const fresh = found.filter(({ id }) => !last.ids.includes(id));
    const events = await Promise.all(fresh.map((one) => eventOf(store, one)));
    const atMs = Math.max(last.atMs, ...fresh.map((one) => one.atMs));
    const ids = found.filter((one) => one.atMs >= atMs - OVERLAP_MS).map(({ id }) => id);
    return { events, value: { atMs, ids } as unknown as Json };
  });
}

async function eventOf(
  store: Ports['store'],
  { id, agent, atMs, contentDigest }: Submission,
): Promise<Event> {
  const { content } = await readArtifact(store, contentDigest);
  return {
    ...{ kind: 'log_line', atMs, session: id, agent, logger: 'feedback', level: 'error' },
    message: Buffer.from(content).toString(),
  };
}
