/** The rows of evidence: what an entry does to them, and how they are read back. */
import { canonicalJson } from '../base/index.ts';
import type {
  Actor,
  EntryPayload,
  EvidenceFact,
  EvidenceKind,
  EvidenceOrigin,
} from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { EvidenceError } from './errors.ts';
import type { EvidencePlace } from './types.ts';

export const ITEMS = 'evidence_items';

export function itemRow(
  { taskId, position }: Pick<EvidencePlace, 'taskId' | 'position'>,
  data: EntryPayload<'evidence.added'>,
  actor: Actor,
  atMs: number,
): Row {
  return {
    id: data.evidenceId,
    task_id: taskId,
    position,
    kind: data.kind,
    name: data.name,
    origin: data.origin,
    phase: data.phase,
    round: data.round,
    about_commit: data.commit,
    is_valid: data.isValid ? 1 : 0,
    problem: data.problem,
    manifest_digest: data.manifestDigest,
    actor: canonicalJson(actor),
    at_ms: atMs,
  };
}

const READ = `SELECT id, task_id, position, kind, name, origin, phase, round, about_commit, is_valid, problem,
  manifest_digest, actor, at_ms FROM ${ITEMS}`;

/** In the order in which it came. */
export async function evidenceOf(store: Store, taskId: string): Promise<EvidenceFact[]> {
  const rows = await store.all(`${READ} WHERE task_id = ? ORDER BY position`, [taskId]);
  return rows.map(factOf);
}

/** Undefined if there is none of that id. */
export async function findEvidence(
  store: Store,
  given: string,
): Promise<{ readonly taskId: string; readonly fact: EvidenceFact } | undefined> {
  const rows = await store.all(`${READ} WHERE id >= ? AND id < ? ORDER BY id LIMIT 2`, [
    given,
    `${given}~`,
  ]);
  const row = rows.find((one) => one['id'] === given) ?? rows[0];
  if (row === undefined) return undefined;
  if (rows.length > 1 && row['id'] !== given)
    throw new EvidenceError('unknown', `More than one piece of evidence begins with ${given}.`, {
      hint: 'Give more of its id.',
    });
  return { taskId: row['task_id'] as string, fact: factOf(row) };
}

function factOf(row: Row): EvidenceFact {
  const text = (column: string) => row[column] as string;
  return {
    id: text('id'),
    kind: text('kind') as EvidenceKind,
    name: text('name'),
    origin: text('origin') as EvidenceOrigin,
    phase: text('phase'),
    round: row['round'] as number,
    commit: row['about_commit'] as string | null,
    isValid: row['is_valid'] === 1,
    problem: row['problem'] as string | null,
    manifestDigest: text('manifest_digest'),
    actor: JSON.parse(text('actor')) as Actor,
    atMs: row['at_ms'] as number,
  };
}
