/** What was checked for a task: how often claims were refused in a row decides whether a person is asked. */
import { type Artifact, artifactWrite, makeArtifact } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import type { Actor, EntryPayload } from '../facts/index.ts';
import type { Plan, Store, Write } from '../store/index.ts';
import type { CheckedClaim } from './types.ts';

export const CHECKS = 'claim_checks';
/** In the column of the sub-agent, where the worker speaks itself. */
const NOBODY_ELSE = '';

export interface CheckRecord {
  readonly id: string;
  readonly taskId: string;
  readonly commit: string;
  /** The sub-agent whose result it is; null for what the worker says itself. */
  readonly agent: string | null;
  /** What was handed in. */
  readonly result: string;
  readonly checked: readonly CheckedClaim[];
  readonly actor: Actor;
  readonly nowMs: number;
}

/** The run of an agent: what it handed in and what came of it. Its texts are sanitised by `clean`. */
export function planCheck(
  record: CheckRecord,
  clean: (text: string) => string,
): { readonly plan: Plan; readonly report: Artifact } {
  const { id, taskId, commit, agent, checked, actor, nowMs } = record;
  const result = makeArtifact(clean(record.result), 'text/plain');
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
    ...{ checkId: id, commit, agent, reportDigest: report.digest, resultDigest: result.digest },
    ...{ confirmed: of('confirmed'), refused: of('refused'), unknown: of('unknown') },
  };
  return {
    report,
    plan: {
      writes: [
        artifactWrite(report, nowMs),
        artifactWrite(result, nowMs),
        checkWrite(taskId, data, nowMs),
      ],
      entries: [
        {
          type: 'claim.checked',
          actor,
          subject: `task:${taskId}`,
          data,
          artifacts: [report.digest, result.digest],
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
  const { checkId, agent, refused, reportDigest } = data;
  return {
    insert: CHECKS,
    row: {
      id: checkId,
      task_id: taskId,
      agent: agent ?? NOBODY_ELSE,
      refused,
      report_digest: reportDigest,
      at_ms: atMs,
    },
  };
}

const LOOKED_AT = 100;

/** How many of the newest checks of an agent in a row refused something: another's right answer clears nothing. */
export async function refusedInARow(
  store: Store,
  { taskId, agent }: Pick<CheckRecord, 'taskId' | 'agent'>,
): Promise<number> {
  const rows = await store.all(
    `SELECT refused FROM ${CHECKS} WHERE task_id = ? AND agent = ?
     ORDER BY at_ms DESC, id DESC LIMIT ${LOOKED_AT}`,
    [taskId, agent ?? NOBODY_ELSE],
  );
  const right = rows.findIndex((row) => row['refused'] === 0);
  return right < 0 ? rows.length : right;
}
