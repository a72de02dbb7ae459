/** What Hone told people beside proposals: its patterns, or, where it does not list them, the reports of its cycles. */
import { readReport } from '../src/loop/index.ts';
import type { LabInstallation } from './installation.ts';
import { expectDone } from './installation.ts';

export interface ToldThing {
  readonly agent: string | null;
  readonly tool: string | null;
  /** All that was said about it. */
  readonly words: string;
  readonly atMs: number;
}

interface ListedPattern {
  readonly id: string;
  readonly title: string;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly status: string;
  readonly why: string | null;
  readonly firstSeenAt: string;
}

/** What a cycle's report says about a failure for which nothing is proposed. */
interface Mention extends ToldThing {
  readonly pattern: string | null;
}

/** `waiting` is told too: somebody reads that Hone waits, and for what. What is over was told if a report said so. */
const TOLD = new Set(['told', 'waiting']);

export async function toldThings(lab: LabInstallation): Promise<ToldThing[]> {
  const mentions = await mentionsInReports(lab);
  const listed = await lab.hone('patterns', 'list', '--limit', '1000', '--json');
  if (listed.exit !== 0) return mentions;
  return toldPatterns(listed.json<{ patterns: ListedPattern[] }>().patterns, mentions);
}

/** Each at the time at which somebody could read of it first, not when it began. */
export function toldPatterns(
  patterns: readonly ListedPattern[],
  mentions: readonly Mention[],
): ToldThing[] {
  return patterns.flatMap(({ id, agent, tool, title, why, status, firstSeenAt }) => {
    const times = mentions.filter(({ pattern }) => pattern === id).map(({ atMs }) => atMs);
    if (!TOLD.has(status) && !(status === 'over' && times.length > 0)) return [];
    const atMs = times.length === 0 ? Date.parse(firstSeenAt) : Math.min(...times);
    return [{ agent, tool, words: `${title} ${why ?? ''}`, atMs }];
  });
}

async function mentionsInReports(lab: LabInstallation): Promise<Mention[]> {
  const shown = expectDone(await lab.hone('ledger', 'show', '--limit', '100000', '--json'));
  const { entries } = shown.json<{ entries: { type: string; subject: string; at: string }[] }>();
  const opened = await lab.context().open();
  try {
    const mentions: Mention[] = [];
    for (const { type, subject, at } of entries) {
      if (type !== 'loop.cycle_finished') continue;
      const report = await readReport(opened.store, subject.slice('cycle:'.length));
      for (const { did, title, why, pattern } of report?.findings ?? []) {
        if (did !== 'told' && did !== 'declined') continue;
        const words = `${title} ${why}`;
        mentions.push({ agent: null, tool: null, words, atMs: Date.parse(at), pattern });
      }
    }
    return mentions;
  } finally {
    await opened.close();
  }
}
