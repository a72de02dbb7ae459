/** The room's rows: read, and as writes together with the entries that they can be folded from. */
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import type { CommitId } from '../git/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Row, Store, Write } from '../store/index.ts';
import { DeployError } from './errors.ts';
import type { Deployment, DeploymentState } from './types.ts';

export const DEPLOYMENTS = 'deploy_deployments';

const READ = `SELECT proposal_id, state, forge, branch, patch_branch, base_commit, commit_id, backup_ref, repository,
  revert_onto, revert_commit, changed_at_ms FROM ${DEPLOYMENTS}`;

export interface Recorded {
  readonly writes: readonly Write[];
  readonly entries: readonly EntryDraft[];
}

export async function readDeployment(
  store: Store,
  proposalId: string,
): Promise<Deployment | undefined> {
  const [row] = await store.all(`${READ} WHERE proposal_id = ?`, [proposalId]);
  return row && deploymentOf(row);
}

/** Whatever is on the same branch of the same place. */
export async function movedTo(
  store: Store,
  { forge, branch, repository }: Pick<Deployment, 'forge' | 'branch' | 'repository'>,
): Promise<Deployment[]> {
  const rows = await store.all(
    `${READ} WHERE forge = ? AND branch = ? AND state IN ('moved', 'reverting') ORDER BY proposal_id`,
    [forge, branch],
  );
  return rows.map(deploymentOf).filter((one) => one.repository === repository);
}

export async function requireDeployment(store: Store, proposalId: string): Promise<Deployment> {
  const deployment = await readDeployment(store, proposalId);
  if (deployment !== undefined) return deployment;
  throw new DeployError('no_deployment', `The proposal ${proposalId} was never prepared.`, {
    hint: 'The ledger still has it: "hone ledger show --subject proposal:<id>". Restore a backup.',
  });
}

export type Names = Pick<
  Deployment,
  'proposalId' | 'forge' | 'branch' | 'patchBranch' | 'baseCommit' | 'commit' | 'backupRef'
> & { readonly repository?: string | undefined };

export function recordPrepared(names: Names, atMs: number): Recorded {
  const { proposalId, forge, branch, patchBranch, baseCommit, backupRef } = names;
  const patchCommit = names.commit;
  const where = placeOf(names);
  const data = { forge, branch, patchBranch, baseCommit, patchCommit, backupRef, ...where };
  return {
    writes: [preparedWrite(names, atMs)],
    entries: [{ type: 'deploy.prepared', actor: SYSTEM, subject: subject(proposalId), data, atMs }],
  };
}

export function preparedWrite(names: Names, atMs: number): Write {
  return {
    insert: DEPLOYMENTS,
    row: {
      proposal_id: names.proposalId,
      state: 'prepared',
      forge: names.forge,
      branch: names.branch,
      patch_branch: names.patchBranch,
      base_commit: names.baseCommit,
      commit_id: names.commit,
      backup_ref: names.backupRef,
      repository: names.repository ?? null,
      revert_onto: null,
      revert_commit: null,
      changed_at_ms: atMs,
    },
  };
}

export function recordMoved(deployment: Deployment, atMs: number): Recorded {
  const { proposalId, branch, baseCommit: fromCommit, commit: toCommit } = deployment;
  const data = { branch, fromCommit, toCommit };
  return {
    writes: [stateWrite(proposalId, 'moved', atMs)],
    entries: [{ type: 'deploy.moved', actor: SYSTEM, subject: subject(proposalId), data, atMs }],
  };
}

/** Whatever was prepared: the row names the commit by which it got there. */
export function recordMovedOutside(names: Names, atMs: number): Recorded {
  const { proposalId, forge, branch, patchBranch, backupRef } = names;
  const [fromCommit, toCommit] = [names.baseCommit, names.commit];
  const data = { forge, branch, patchBranch, backupRef, fromCommit, toCommit, ...placeOf(names) };
  return {
    writes: movedOutsideWrites(names, atMs),
    entries: [
      { type: 'deploy.moved_outside', actor: SYSTEM, subject: subject(proposalId), data, atMs },
    ],
  };
}

export function movedOutsideWrites(names: Names, atMs: number): Write[] {
  const { proposalId } = names;
  return [
    { delete: DEPLOYMENTS, where: { proposal_id: proposalId } },
    preparedWrite(names, atMs),
    stateWrite(proposalId, 'moved', atMs),
  ];
}

export function recordRevertPlanned(
  deployment: Deployment,
  planned: { onto: CommitId; commit: CommitId; reason: string },
  atMs: number,
): Recorded {
  const { proposalId, branch } = deployment;
  const { onto, commit } = planned;
  const reason = recordedText(planned.reason);
  return {
    writes: [revertWrite(proposalId, { onto, commit }, atMs)],
    entries: [
      {
        type: 'deploy.revert_planned',
        actor: SYSTEM,
        subject: subject(proposalId),
        data: { branch, ontoCommit: onto, revertCommit: commit, reason },
        atMs,
      },
    ],
  };
}

export function revertWrite(
  proposalId: string,
  { onto, commit }: { onto: CommitId; commit: CommitId },
  atMs: number,
): Write {
  const set = { state: 'reverting', revert_onto: onto, revert_commit: commit, changed_at_ms: atMs };
  return { update: DEPLOYMENTS, where: { proposal_id: proposalId }, set };
}

export function recordReverted(
  { proposalId, branch }: Deployment,
  { from, to }: { from: CommitId; to: CommitId },
  atMs: number,
): Recorded {
  const data = { branch, fromCommit: from, toCommit: to };
  return {
    writes: [stateWrite(proposalId, 'reverted', atMs)],
    entries: [{ type: 'deploy.reverted', actor: SYSTEM, subject: subject(proposalId), data, atMs }],
  };
}

export function stateWrite(proposalId: string, state: DeploymentState, atMs: number): Write {
  const set = { state, changed_at_ms: atMs };
  return { update: DEPLOYMENTS, where: { proposal_id: proposalId }, set };
}

const placeOf = ({ repository }: Names) => (repository === undefined ? {} : { repository });

const subject = (proposalId: string) => `proposal:${proposalId}`;

function deploymentOf(row: Row): Deployment {
  const [onto, commit] = [row['revert_onto'], row['revert_commit']];
  return {
    proposalId: row['proposal_id'] as string,
    state: row['state'] as DeploymentState,
    forge: row['forge'] as string,
    branch: row['branch'] as string,
    patchBranch: row['patch_branch'] as string,
    baseCommit: row['base_commit'] as string,
    commit: row['commit_id'] as string,
    backupRef: row['backup_ref'] as string,
    repository: (row['repository'] as string | null) ?? undefined,
    revert: typeof onto === 'string' && typeof commit === 'string' ? { onto, commit } : undefined,
    changedAtMs: row['changed_at_ms'] as number,
  };
}
