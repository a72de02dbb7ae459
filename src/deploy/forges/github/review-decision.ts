/**
 * Whether people decided about a change by reviewing its pull request: a pure function over what GitHub says and what
 * Hone knows. It fails closed: whatever is missing, odd or older than the evidence means that it still waits.
 *
 * A review counts only if its commit is the head, the head is the very commit that Hone built from the decided bytes,
 * Hone's own check run on that head carries the digest of the evidence, and its maker is a listed person by their number,
 * and neither the author of the pull request nor an agent. Of each person the newest review that says yes or no counts,
 * and one listed person who wants changes holds it up for all. Titles, texts, labels and logins decide nothing.
 */
import type { CommitId } from '../../../git/index.ts';
import { isKnownAgent, type KnownAgent } from '../../../identity/index.ts';
import type { CheckRun, Pull, Review } from './pulls.ts';

/** The name of Hone's check run. */
export const CHECK_NAME = 'hone';

/** Somebody who may decide, by the number of their account: a login can be given to another. */
export interface ForgePerson {
  readonly userId: number;
  readonly person: string;
}

export interface ReviewState {
  readonly pull: Pull;
  readonly reviews: readonly Review[];
  readonly checks: readonly CheckRun[];
}

export interface ReviewRules {
  /** Names of branches, without `refs/heads/`. */
  readonly base: string;
  readonly branch: string;
  /** The commit that holds the decided bytes on the decided base. */
  readonly head: CommitId;
  readonly evidenceDigest: string;
  /** Undefined without an app, and then no review counts. */
  readonly appId: number | undefined;
  readonly people: readonly ForgePerson[];
  readonly agents: readonly KnownAgent[];
}

export interface Approval {
  readonly person: string;
  readonly userId: number;
  readonly review: number;
  /** When it was submitted, by the forge's clock. */
  readonly at: string;
}

export type ReviewAnswer =
  | { readonly is: 'approved'; readonly approvals: readonly [Approval, ...Approval[]] }
  | { readonly is: 'changes_requested'; readonly by: Approval }
  /** By whomever, and whatever was decided. */
  | { readonly is: 'merged'; readonly commit: CommitId | undefined }
  | { readonly is: 'waiting'; readonly why: string };

/** Review states that say yes, no, or take either back; comments change nothing. */
const DECIDING: readonly string[] = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'];

export function judgeReviews(state: ReviewState, rules: ReviewRules): ReviewAnswer {
  const { pull } = state;
  if (pull.merged_at !== null) return { is: 'merged', commit: pull.merge_commit_sha ?? undefined };
  const why = pullProblem(pull, rules) ?? checkProblem(state, rules);
  if (why !== undefined) return { is: 'waiting', why };
  const newest = newestByPerson(state, rules);
  const no = newest.find(({ review }) => review.state === 'CHANGES_REQUESTED');
  if (no !== undefined) return { is: 'changes_requested', by: approvalOf(no) };
  const since = carrying(state, rules)!.completed_at!;
  const [first, ...others] = newest
    .filter(({ review }) => counts(review, since, rules))
    .map(approvalOf);
  if (first === undefined)
    return { is: 'waiting', why: 'nobody who may decide has approved its head' };
  return { is: 'approved', approvals: [first, ...others] };
}

function pullProblem(pull: Pull, { base, branch, head }: ReviewRules): string | undefined {
  if (pull.state !== 'open') return 'its pull request is closed';
  if (pull.base.ref !== base) return 'its pull request goes to another branch';
  if (pull.head.ref !== branch || pull.head.repo?.id !== pull.base.repo.id)
    return 'its pull request is of another branch';
  if (pull.head.sha !== head) return 'its head is not the commit that Hone made';
  return undefined;
}

function checkProblem(state: ReviewState, rules: ReviewRules): string | undefined {
  if (rules.appId === undefined) return 'reviews count only where Hone is a GitHub App';
  return carrying(state, rules) === undefined
    ? 'Hone’s check run with the present evidence is not on its head'
    : undefined;
}

/** Our newest check run on the head, if it is about the present evidence. */
function carrying({ checks }: ReviewState, rules: ReviewRules): CheckRun | undefined {
  const ours = checks
    .filter((one) => one.name === CHECK_NAME && one.head_sha === rules.head)
    .filter((one) => rules.appId !== undefined && one.app?.id === rules.appId)
    .toSorted((one, other) => one.id - other.id)
    .at(-1);
  if (ours === undefined || ours.external_id !== rules.evidenceDigest) return undefined;
  const isDone = ours.status === 'completed' && ours.completed_at !== null;
  return isDone && ['success', 'neutral'].includes(ours.conclusion ?? '') ? ours : undefined;
}

interface Said {
  readonly person: ForgePerson;
  readonly review: Review;
}

const approvalOf = ({ person, review }: Said): Approval => ({
  person: person.person,
  userId: person.userId,
  review: review.id,
  at: review.submitted_at ?? '',
});

/** Of everybody who may decide, what they said last. */
function newestByPerson({ pull, reviews }: ReviewState, rules: ReviewRules): Said[] {
  const said = new Map<number, Said>();
  const atMs = (review: Review) => Date.parse(review.submitted_at ?? '') || 0;
  const inOrder = reviews
    .filter(({ state }) => DECIDING.includes(state))
    .toSorted((one, other) => atMs(one) - atMs(other) || one.id - other.id);
  for (const review of inOrder) {
    const person = entitled(review, pull, rules);
    if (person !== undefined) said.set(person.userId, { person, review });
  }
  return [...said.values()];
}

function entitled(
  { user }: Review,
  pull: Pull,
  { people, agents }: ReviewRules,
): ForgePerson | undefined {
  if (user === null || user.type !== 'User') return undefined;
  // Without an author it cannot be said who is not the author.
  if (pull.user === null || pull.user.id === user.id) return undefined;
  const person = people.find(({ userId }) => userId === user.id);
  if (person === undefined || isKnownAgent(agents, [person.person, user.login])) return undefined;
  return person;
}

function counts(review: Review, sinceCheck: string, { head }: ReviewRules): boolean {
  if (review.state !== 'APPROVED' || review.commit_id !== head) return false;
  const { submitted_at: at } = review;
  // Both are GitHub's clock, in seconds: a review from before the evidence was there is not about it, and of one from
  // the same second nobody knows.
  return at !== undefined && Date.parse(at) > Date.parse(sinceCheck);
}
