/**
 * Patterns that a person says are one failure, such as one cause that a tool tells by two codes: from then on what is found
 * of the one counts for the other. Only at one place: a cause is looked for where calls fail.
 */
import type { Actor, Pattern } from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan, Store, Write } from '../store/index.ts';
import { PATTERNS } from './pattern-store.ts';

export const MERGED = 'diagnose_merged';

/** By the id of a pattern that is one with another: that other's id. */
export type MergedPatterns = ReadonlyMap<string, string>;

export async function mergedPatterns(store: Store): Promise<MergedPatterns> {
  const rows = await store.all(`SELECT pattern_id, into_id FROM ${MERGED}`);
  return new Map(rows.map((row) => [row['pattern_id'] as string, row['into_id'] as string]));
}

/** The one it counts for by now: itself, or the end of a row of merges. */
export function mergedInto(id: string, merged: MergedPatterns): string {
  const seen = new Set<string>();
  let last = id;
  for (
    let next = merged.get(last);
    next !== undefined && !seen.has(last);
    next = merged.get(last)
  ) {
    seen.add(last);
    last = next;
  }
  return last;
}

type Place = Pick<Pattern, 'agent' | 'tool' | 'event'>;

export function isOnePlace(one: Place, other: Place): boolean {
  return one.agent === other.agent && one.tool === other.tool && one.event === other.event;
}

export function mergePlan(
  id: string,
  into: string,
  {
    actor,
    reason,
    nowMs,
  }: { readonly actor: Actor; readonly reason: string; readonly nowMs: number },
): Plan {
  const said = recordedText(reason);
  return {
    writes: mergeWrites(id, { into, reason: said, actor: actor.id, atMs: nowMs }),
    entries: [
      {
        type: 'diagnose.pattern_merged',
        actor,
        subject: `pattern:${id}`,
        data: { into, reason: said },
        atMs: nowMs,
      },
    ],
  };
}

/** What was found of it before stays in the ledger. */
export function mergeWrites(
  id: string,
  merge: {
    readonly into: string;
    readonly reason: string;
    readonly actor: string;
    readonly atMs: number;
  },
): Write[] {
  const { into, reason, actor, atMs } = merge;
  return [
    { delete: PATTERNS, where: { id } },
    { upsert: MERGED, key: { pattern_id: id }, row: { into_id: into, reason, actor, at_ms: atMs } },
  ];
}

/** Forgotten with either of the two. */
export function unmergeWrites(id: string): Write[] {
  return [
    { delete: MERGED, where: { pattern_id: id } },
    { delete: MERGED, where: { into_id: id } },
  ];
}
