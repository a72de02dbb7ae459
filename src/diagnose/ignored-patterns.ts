/** What people say about patterns: ignore one for good, or forget it, so that it is new when it is found again. */
import type { Actor } from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan, Store, Write } from '../store/index.ts';
import { unmergeWrites } from './merged-patterns.ts';
import { PATTERNS } from './pattern-store.ts';

export const IGNORED = 'diagnose_ignored';

export interface IgnoredPattern {
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

interface Wish {
  readonly actor: Actor;
  readonly reason: string;
  readonly nowMs: number;
}

/** By the pattern's id. */
export async function ignoredPatterns(store: Store): Promise<ReadonlyMap<string, IgnoredPattern>> {
  const rows = await store.all(`SELECT pattern_id, reason, actor, at_ms FROM ${IGNORED}`);
  return new Map(
    rows.map((row) => [
      row['pattern_id'] as string,
      {
        reason: row['reason'] as string,
        actor: row['actor'] as string,
        atMs: row['at_ms'] as number,
      },
    ]),
  );
}

export function ignorePlan(id: string, { actor, reason, nowMs }: Wish): Plan {
  const said = recordedText(reason);
  return {
    writes: [ignoreWrite(id, { reason: said, actor: actor.id, atMs: nowMs })],
    entries: [
      {
        type: 'diagnose.pattern_ignored',
        actor,
        subject: `pattern:${id}`,
        data: { reason: said },
        atMs: nowMs,
      },
    ],
  };
}

export function forgetPlan(id: string, { actor, reason, nowMs }: Wish): Plan {
  return {
    writes: forgetWrites(id),
    entries: [
      {
        type: 'diagnose.pattern_forgotten',
        actor,
        subject: `pattern:${id}`,
        data: { reason: recordedText(reason) },
        atMs: nowMs,
      },
    ],
  };
}

export function ignoreWrite(id: string, { reason, actor, atMs }: IgnoredPattern): Write {
  return { upsert: IGNORED, key: { pattern_id: id }, row: { reason, actor, at_ms: atMs } };
}

export function forgetWrites(id: string): Write[] {
  return [
    ...unmergeWrites(id),
    { delete: PATTERNS, where: { id } },
    { delete: IGNORED, where: { pattern_id: id } },
  ];
}
