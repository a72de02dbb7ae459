/**
 * Deletes telemetry that is older than it is kept, but for events that a proposal names as its evidence; and what the loop itself no
 * longer needs: triggers that were taken, and what was spent on validations that are over.
 */
import { forgetPurses, purses } from '../model/index.ts';
import { deleteOutdated, type Outdated, outdated } from '../observe/index.ts';
import { BEFORE_DEPLOYMENT, listProposals, readDossier } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { forgetTriggers } from './trigger-store.ts';
import type { LoopPorts } from './types.ts';

type RetentionPorts = Pick<LoopPorts, 'store' | 'telemetry' | 'config'>;

/** What would go now. */
export async function dryRetention(ports: RetentionPorts): Promise<Outdated> {
  return outdated(ports.telemetry, await inputOf(ports));
}

export async function runRetention(
  ports: RetentionPorts,
  signal: AbortSignal,
): Promise<Omit<Outdated, 'named'>> {
  const input = await inputOf(ports);
  await forgetTriggers(ports.store, input.nowMs);
  await forgetSpending(ports.store);
  return deleteOutdated(ports.telemetry, input, signal);
}

/**
 * What validations spent on a model counts as long as their proposal may be validated again. The purses are read first: whoever
 * begins to spend meanwhile keeps theirs.
 */
async function forgetSpending(store: Store): Promise<void> {
  const accounts = await purses(store);
  if (accounts.length === 0) return;
  const states = BEFORE_DEPLOYMENT.filter((state) => state !== 'failed');
  const waiting = await listProposals(store, { states, limit: Number.MAX_SAFE_INTEGER });
  const mayAsk = new Set<string>(waiting.map(({ digest }) => digest));
  await forgetPurses(
    store,
    accounts.filter((account) => !mayAsk.has(account)),
  );
}

async function inputOf({ store, config }: RetentionPorts) {
  const { events: eventsMs, counts: countsMs } = config.observe.retention;
  return {
    nowMs: await store.nowMs(),
    keep: { eventsMs, countsMs },
    named: await namedEvents(store),
  };
}

/** A decision is about its evidence, so the evidence stays as long as the record of the proposal. */
async function namedEvents(store: Store): Promise<Set<string>> {
  const named = new Set<string>();
  for (const { id } of await listProposals(store, { limit: Number.MAX_SAFE_INTEGER })) {
    const { content } = await readDossier(store, id);
    for (const one of content.evidence) if (one.startsWith('event:')) named.add(one);
  }
  return named;
}
