/**
 * Taking a change back, in two committed steps: first the commit that does it is made and named, then the
 * branch is moved to it. If it is killed anywhere, it is called again and continues from what was
 * committed and from the state of the branch. Neither the kill switch nor a working tree stops it.
 */
import { isoTime } from '../base/index.ts';
import { type CommitId, GitError } from '../git/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { failed, jsonFile } from './answers.ts';
import { awaitedArrival } from './arrival-file.ts';
import { revertMessage } from './commit-message.ts';
import { recordReverted, recordRevertPlanned, requireDeployment } from './deployment-store.ts';
import { deployedBy } from './forges.ts';
import { changesOnTop } from './on-top.ts';
import { sameBytes } from './patch-commit.ts';
import { branchName, namesOf, plainLine } from './plain-text.ts';
import type { Deployment, DeployPorts, Forge, RevertCall } from './types.ts';
import { undo } from './undo.ts';

/** A rollback takes a second or two, and the one below may take minutes of `deploy.rollbackTimeout`. */
const ON_TOP_MS = 5_000;

interface Rollback {
  readonly dossier: Dossier;
  readonly ports: DeployPorts;
  readonly call: RevertCall;
  readonly deployment: Deployment;
  readonly forge: Forge;
}

/** For a proposal that is deploying, monitoring or implemented. */
export async function revertStep(
  dossier: Dossier,
  ports: DeployPorts,
  call: RevertCall,
): Promise<ProposalStep> {
  const deployment = await requireDeployment(ports.store, dossier.proposal.id);
  const forge = deployedBy(dossier, deployment, ports);
  const rollback = { dossier, ports, call, deployment, forge };
  if (deployment.state === 'reverted') return { did: 'It was already taken back.' };
  const head = await forge.resolve(deployment.branch);
  if (head === undefined) {
    const name = branchName(deployment.branch);
    return refused(rollback, `the branch ${name} is gone`, { conflicts: [], onto: null });
  }
  const { revert } = deployment;
  if (revert === undefined || !(await exists(ports, revert.commit))) return plan(rollback, head);
  return finish(rollback, revert, head);
}

/** The commit that takes it back, on top of whatever is there now. */
async function plan(rollback: Rollback, head: CommitId): Promise<ProposalStep> {
  const { dossier, ports, call, deployment, forge } = rollback;
  const { repository, author, nowMs } = ports;
  const { commit, branch } = deployment;
  if (deployment.state === 'prepared' && !(await repository.isAncestor(commit, head))) {
    const { at, why } = await shutOut(rollback, head);
    if (at !== undefined)
      return done(rollback, { from: head, to: at, how: 'it never reached the branch' });
    const now = await forge.resolve(branch);
    if (now === head) return refused(rollback, why, { conflicts: [], onto: head });
    return plan(rollback, now ?? head);
  }
  const undone = await undo(deployment, head, repository);
  if (!undone.ok) {
    const first = await underOthers(rollback, head, undone.conflicts);
    if (first !== undefined) return first;
    const why = `later changes touch the same lines of ${namesOf(undone.conflicts)}`;
    return refused(rollback, why, { conflicts: undone.conflicts, onto: head });
  }
  if (undone.tree === (await repository.commitInfo(head)).tree)
    return done(rollback, { from: head, to: head, how: 'nothing of it is left' });
  const revert = await repository.commit({
    tree: undone.tree,
    parents: [head],
    message: revertMessage(dossier, commit, call),
    author: { ...author, atMs: call.calledAtMs },
  });
  const reason = plainLine(call.reason, 1000);
  return {
    did: `The commit that takes it back is ready to go onto ${branchName(branch)}.`,
    dueAtMs: nowMs,
    ...recordRevertPlanned(deployment, { onto: head, commit: revert, reason }, nowMs),
  };
}

/** Waits for later changes of Hone's own on the same lines, which are taken back first; undefined where that does not help. */
async function underOthers(
  { dossier, ports, deployment }: Rollback,
  onto: CommitId,
  conflicts: readonly string[],
): Promise<ProposalStep | undefined> {
  if (ports.takeBackFirst === undefined) return undefined;
  const ids = await changesOnTop({ deployment, onto, conflicts }, ports);
  if (ids.length === 0) return undefined;
  const which = ids.length === 1 ? `the later change ${ids[0]} is` : `later changes are`;
  const list = ids.length === 1 ? '' : `: ${ids.join(', ')}`;
  return {
    did: `Before it can be taken back, ${which} taken back, on the same lines of ${namesOf(conflicts)}${list}.`,
    dueAtMs: ports.nowMs + ON_TOP_MS,
    ...(await ports.takeBackFirst(ids, dossier.proposal.id)),
  };
}

/**
 * A worker that lost its lease may still be about to move the branch from the base to the change: git knows
 * no fencing. An empty commit on the base makes that move impossible for good. Returns where the branch then is, or
 * why it is not there.
 */
async function shutOut(
  rollback: Rollback,
  head: CommitId,
): Promise<
  { readonly at: CommitId; readonly why?: never } | { readonly at?: never; readonly why: string }
> {
  const { dossier, ports, call, deployment, forge } = rollback;
  const { repository, author } = ports;
  if (head !== deployment.baseCommit) return { at: head };
  const empty = await repository.commit({
    tree: (await repository.commitInfo(head)).tree,
    parents: [head],
    message: revertMessage(dossier, deployment.commit, call),
    author: { ...author, atMs: call.calledAtMs },
  });
  const answer = await forge.move({ branch: deployment.branch, from: head, to: empty });
  return answer.moved ? { at: empty } : { why: answer.why };
}

async function finish(
  rollback: Rollback,
  revert: { readonly onto: CommitId; readonly commit: CommitId },
  head: CommitId,
): Promise<ProposalStep> {
  const { forge, ports } = rollback;
  const { branch } = rollback.deployment;
  const answer =
    head === revert.onto ? await forge.move({ branch, from: head, to: revert.commit }) : undefined;
  // The branch itself tells, even if this process died between the move and the commit.
  const now = await forge.resolve(branch);
  if (answer?.moved === false && now === head)
    return refused(rollback, answer.why, { conflicts: [], onto: head });
  if (now === undefined || !(await ports.repository.isAncestor(revert.commit, now)))
    return plan(rollback, now ?? head);
  const wrong = await unrestored(rollback, revert);
  if (wrong.length > 0) {
    const why = `the original content is not back in ${namesOf(wrong)}`;
    return refused(rollback, why, { conflicts: wrong, onto: revert.onto });
  }
  return done(rollback, { from: revert.onto, to: revert.commit, how: undefined });
}

/** Files that nobody else had changed, and that are not as they were before the change. */
async function unrestored(
  { dossier, ports, deployment }: Rollback,
  revert: { readonly onto: CommitId; readonly commit: CommitId },
): Promise<string[]> {
  const { commit, baseCommit } = deployment;
  const same = (path: string, pair: readonly [CommitId, CommitId]) =>
    sameBytes(ports.repository, path, pair);
  const wrong: string[] = [];
  for (const path of dossier.content.files) {
    if (!(await same(path, [revert.onto, commit]))) continue;
    if (!(await same(path, [revert.commit, baseCommit]))) wrong.push(path);
  }
  return wrong;
}

/** A person must act; it is still tried again, because they may have acted. */
function refused(
  { dossier, ports, deployment }: Rollback,
  why: string,
  { conflicts, onto }: { conflicts: readonly string[]; onto: CommitId | null },
): ProposalStep {
  const { branch, commit } = deployment;
  const advice = `Take ${commit.slice(0, 12)} back by hand on ${branchName(branch)}.`;
  return failed({
    dossier,
    kind: 'rollback',
    did: `It could not be taken back: ${plainLine(why, 1500)}. ${advice}`,
    about: { branch, commit, onto, conflicts: conflicts.slice(0, 200), why },
    nowMs: ports.nowMs,
  });
}

async function done(
  rollback: Rollback,
  { from, to, how }: { from: CommitId; to: CommitId; how: string | undefined },
): Promise<ProposalStep> {
  const { ports, call, deployment, forge } = rollback;
  const { nowMs, rollbackTimeoutMs = Number.POSITIVE_INFINITY } = ports;
  const { branch, commit } = deployment;
  // Also where nothing was left to take back: agents may still run it.
  const awaited = ports.awaitsArrival === true ? [awaitedArrival('reverted', to, nowMs)] : [];
  const tookMs = Math.max(0, nowMs - call.calledAtMs);
  const late = tookMs > rollbackTimeoutMs;
  const file = jsonFile({
    branch,
    commit,
    from,
    to,
    reason: plainLine(call.reason, 1000),
    how: how ?? 'reverted',
    at: isoTime(nowMs),
    tookMs,
    late,
  });
  const name = branchName(branch);
  const what =
    how === undefined
      ? `It was taken back: ${name} moved from ${from.slice(0, 12)} to ${to.slice(0, 12)}`
      : `There was nothing to take back on ${name}: ${how}`;
  const time = `, ${Math.ceil(tookMs / 1000)} s after it was requested${late ? ', which is late' : ''}.`;
  return {
    did: `${what}${time} Why: ${sentence(plainLine(call.reason, 600))}${how === undefined ? await stillToDo(forge, branch) : ''}`,
    attestations: [{ kind: 'rollback', verdict: 'done', files: [file] }, ...awaited],
    to: 'reverted',
    ...recordReverted(deployment, { from, to }, nowMs),
  };
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Only a hint: a failure to get it must not undo a rollback. */
async function stillToDo(forge: Forge, branch: string): Promise<string> {
  try {
    const words = await forge.afterRollback(branch);
    return words === undefined ? '' : ` ${words}`;
  } catch {
    return '';
  }
}

async function exists({ repository }: DeployPorts, commit: CommitId): Promise<boolean> {
  try {
    await repository.commitInfo(commit);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === 'unknown_commit') return false;
    throw error;
  }
}
