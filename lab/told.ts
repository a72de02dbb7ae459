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
  readonly title: string;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly status: string;
  readonly why: string | null;
  readonly firstSeenAt: string;
}

/** `waiting` is told too: somebody reads that Hone waits, and for what. */
const TOLD = new Set(['told', 'waiting']);

export async function toldThings(lab: LabInstallation): Promise<ToldThing[]> {
  const listed = await lab.hone('patterns', 'list', '--json');
  if (listed.exit !== 0) return toldInReports(lab);
  const { patterns } = listed.json<{ patterns: ListedPattern[] }>();
  return patterns
    .filter(({ status }) => TOLD.has(status))
    .map(({ agent, tool, title, why, firstSeenAt }) => ({
      agent,
      tool,
      words: `${title} ${why ?? ''}`,
      atMs: Date.parse(firstSeenAt),
    }));
}

async function toldInReports(lab: LabInstallation): Promise<ToldThing[]> {
  const shown = expectDone(await lab.hone('ledger', 'show', '--limit', '100000', '--json'));
  const { entries } = shown.json<{ entries: { type: string; subject: string; at: string }[] }>();
  const opened = await lab.context().open();
  try {
    const told: ToldThing[] = [];
    for (const { type, subject, at } of entries) {
      if (type !== 'loop.cycle_finished') continue;
      const report = await readReport(opened.store, subject.slice('cycle:'.length));
      for (const { did, title, why } of report?.findings ?? []) {
        if (did !== 'told' && did !== 'declined') continue;
        told.push({ agent: null, tool: null, words: `${title} ${why}`, atMs: Date.parse(at) });
      }
    }
    return told;
  } finally {
    await opened.close();
  }
}
