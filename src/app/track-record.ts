/** How Hone has done: how much it asked of people, what became of its changes, whether it was as sure as it was right. */
import { isoTime } from '../base/index.ts';
import type { TrackRecord, TrackRecordInput } from '../contracts/track-record.ts';
import { confidenceBands, trackChecks } from '../health/index.ts';
import { ownOutcomes } from '../learn/index.ts';
import { answersSince, deploymentsSince, listProposals } from '../proposal/index.ts';
import { type AppContext, withOpened } from './context.ts';

const DAY_MS = 86_400_000;
/** More than 20 are not open at once, unless somebody raised the limit. */
const WAITING_MAX = 1000;

export function trackRecord(context: AppContext, { days }: TrackRecordInput): Promise<TrackRecord> {
  return withOpened(context, async ({ store }) => {
    const nowMs = await store.nowMs();
    const sinceMs = nowMs - days * DAY_MS;
    const [answers, reached, outcomes, waiting] = await Promise.all([
      answersSince(store, sinceMs),
      deploymentsSince(store, sinceMs),
      ownOutcomes(store, nowMs),
      listProposals(store, { states: ['pending'], limit: WAITING_MAX }),
    ]);
    const people = answers.filter(({ isByHone }) => !isByHone);
    const approved = people.filter(({ verdict }) => verdict === 'approved').length;
    const rejected = people.length - approved;
    const waits = people
      .flatMap(({ waitedMs }) => (waitedMs === null ? [] : [waitedMs]))
      .sort((a, b) => a - b);
    const since = waiting.map(({ changedAtMs }) => changedAtMs);
    return {
      from: isoTime(sinceMs),
      to: isoTime(nowMs),
      measures: trackChecks({ ...reached, approved, rejected }),
      decisions: {
        approved,
        rejected,
        byHone: answers.length - people.length,
        medianMs: waits[Math.floor((waits.length - 1) / 2)] ?? null,
        waiting: waiting.length,
        longestSince: since.length === 0 ? null : isoTime(Math.min(...since)),
      },
      confidence: confidenceBands(outcomes),
    };
  });
}
