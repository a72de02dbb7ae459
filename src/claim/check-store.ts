/** What was checked for a task: how often claims were refused in a row decides whether a person is asked. */
import { type Artifact, artifactWrite, makeArtifact } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import type { Actor, EntryPayload } from '../facts/index.ts';
import type { Plan, Store, Write } from '../store/index.ts';
import type { CheckedClaim } from './types.ts';

export const CHECKS = 'claim_checks';

export interface CheckRecord {
  readonly id: string;
  readonly taskId: string;
  readonly commit: string;
  readonly checked: readonly CheckedClaim[];
  readonly actor: Actor;
  readonly nowMs: number;
}

/** The report holds what was said; texts of agents are sanitised by whoever hands them in. */
export function planCheck(
  record: CheckRecord,
  clean: (text: string) => string,
): { readonly plan: Plan; readonly report: Artifact } {
  const { id, taskId, commit, checked, actor, nowMs } = record;
  const report = makeArtifact(
    canonicalJson({
      task: taskId,
      commit,
      claims: checked.map(({ claim, verdict, why }) => ({
        ...{ level: claim.level, said: clean(claim.said), verdict, why: clean(why) },
      })),
    }),
    'application/json',
  );
  const of = (verdict: string) => checked.filter((one) => one.verdict === verdict).length;
  const data: EntryPayload<'claim.checked'> = {
    ...{ checkId: id, commit, reportDigest: report.digest },
    ...{ confirmed: of('confirmed'), refused: of('refused'), unknown: of('unknown') },
  };
  return {
    report,
    plan: {
      writes: [artifactWrite(report, nowMs), checkWrite(taskId, data, nowMs)],
      entries: [
        {
          type: 'claim.checked',
          actor,
          subject: `task:${taskId}`,
          data,
          artifacts: [report.digest],
          atMs: nowMs,
        },
      ],
    },
  };
}

export function checkWrite(
  taskId: string,
  data: EntryPayload<'claim.checked'>,
  atMs: number,
): Write {
  const { checkId, refused, reportDigest } = data;
  return {
    insert: CHECKS,
    row: { id: checkId, task_id: taskId, refused, report_digest: reportDigest, at_ms: atMs },
  };
}

const LOOKED_AT = 100;

/** How many of the newest checks in a row refused something. */
export async function refusedInARow(store: Store, taskId: string): Promise<number> {
  const rows = await store.all(
    `SELECT refused FROM ${CHECKS} WHERE task_id = ? ORDER BY at_ms DESC, id DESC LIMIT ${LOOKED_AT}`,
    [taskId],
  );
  const right = rows.findIndex((row) => row['refused'] === 0);
  return right < 0 ? rows.length : right;
}
