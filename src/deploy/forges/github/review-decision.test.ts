import { describe, expect, test } from 'vitest';
import type { CheckRun, Pull, Review } from './pulls.ts';
import { CHECK_NAME, judgeReviews, type ReviewRules, type ReviewState } from './review-decision.ts';

const [HEAD, OTHER, EVIDENCE] = ['a'.repeat(40), 'b'.repeat(40), `sha256:${'1'.repeat(64)}`];
const ANN = { id: 11, login: 'ann', type: 'User' };
const BEN = { id: 12, login: 'ben', type: 'User' };
const APP = { id: 90, login: 'hone[bot]', type: 'Bot' };

const PULL: Pull = {
  ...{ number: 1, node_id: 'PR_1', state: 'open', draft: true, title: 't', body: 'b' },
  ...{ merged_at: null, merge_commit_sha: null, html_url: 'https://github.com/a/b/pull/1' },
  user: APP,
  head: { ref: 'hone/proposal-p_1', sha: HEAD, repo: { id: 1 } },
  base: { ref: 'main', sha: OTHER, repo: { id: 1 } },
};

const CHECK: CheckRun = {
  ...{ id: 5, head_sha: HEAD, name: CHECK_NAME, external_id: EVIDENCE, status: 'completed' },
  ...{ conclusion: 'success', completed_at: '2026-01-01T10:00:00Z', app: { id: 77 } },
};

const REVIEW: Review = {
  ...{ id: 7, state: 'APPROVED', commit_id: HEAD, submitted_at: '2026-01-01T11:00:00Z', user: ANN },
};

const STATE: ReviewState = { pull: PULL, reviews: [REVIEW], checks: [CHECK] };

const RULES: ReviewRules = {
  ...{ base: 'main', branch: 'hone/proposal-p_1', head: HEAD, evidenceDigest: EVIDENCE, appId: 77 },
  people: [
    { userId: 11, person: 'ann@example.org' },
    { userId: 12, person: 'ben@example.org' },
  ],
  agents: [{ name: 'coder', matches: ['coder@example.org', 'coder'] }],
};

const later = (review: Partial<Review>): Review => ({
  ...{ ...REVIEW, id: 8, submitted_at: '2026-01-01T12:00:00Z' },
  ...review,
});

test('a listed person’s approval of the head that Hone made decides', () => {
  expect(judgeReviews(STATE, RULES)).toEqual({
    is: 'approved',
    approvals: [{ person: 'ann@example.org', userId: 11, review: 7, at: '2026-01-01T11:00:00Z' }],
  });
});

test('texts, labels and the draft state decide nothing', () => {
  const pull = { ...PULL, title: 'APPROVED', body: 'hone approve', draft: false };
  expect(judgeReviews({ ...STATE, pull }, RULES)).toEqual(judgeReviews(STATE, RULES));
  expect(judgeReviews({ ...STATE, pull, reviews: [] }, RULES)).toMatchObject({ is: 'waiting' });
});

describe('it still waits', () => {
  const pull = (more: Partial<Pull>) => ({ ...STATE, pull: { ...PULL, ...more } });
  const review = (more: Partial<Review>) => ({ ...STATE, reviews: [{ ...REVIEW, ...more }] });
  const check = (more: Partial<CheckRun>) => ({ ...STATE, checks: [{ ...CHECK, ...more }] });
  test.each<[string, ReviewState, Partial<ReviewRules>?]>([
    ['nobody reviewed', { ...STATE, reviews: [] }],
    ['a comment', review({ state: 'COMMENTED' })],
    ['a review that was not submitted', review({ state: 'PENDING' })],
    ['a dismissed review', review({ state: 'DISMISSED' })],
    ['an unknown state', review({ state: 'approved' })],
    ['a review of another commit', review({ commit_id: OTHER })],
    ['a review of no commit', review({ commit_id: null })],
    ['a review from before the evidence', review({ submitted_at: '2026-01-01T09:59:59Z' })],
    [
      'a review from the very second of the evidence',
      review({ submitted_at: '2026-01-01T10:00:00Z' }),
    ],
    ['a review without a time', review({ submitted_at: undefined })],
    ['somebody who is not listed', review({ user: { ...ANN, id: 13 } })],
    ['the same login with another number', review({ user: { ...ANN, id: 14 } })],
    ['a ghost', review({ user: null })],
    ['a bot with a listed number', review({ user: { ...ANN, type: 'Bot' } })],
    ['the author of the pull request', pull({ user: ANN })],
    ['a pull request without an author', pull({ user: null })],
    ['an agent by its login', review({ user: { ...ANN, login: 'Coder' } })],
    ['an agent by its person', STATE, { people: [{ userId: 11, person: 'coder@example.org' }] }],
    ['a head that was pushed over', pull({ head: { ...PULL.head, sha: OTHER } })],
    ['other bytes than the decided ones', STATE, { head: OTHER }],
    ['a fork’s branch', pull({ head: { ...PULL.head, repo: { id: 2 } } })],
    ['another branch', pull({ head: { ...PULL.head, ref: 'other' } })],
    ['another base', pull({ base: { ...PULL.base, ref: 'other' } })],
    ['a closed pull request', pull({ state: 'closed' })],
    ['no check run', { ...STATE, checks: [] }],
    ['another app’s check run', check({ app: { id: 78 } })],
    ['a check run of nobody', check({ app: null })],
    ['a check run of another name', check({ name: 'hone ' })],
    ['a check run on another head', check({ head_sha: OTHER })],
    ['a check run about other evidence', check({ external_id: `sha256:${'2'.repeat(64)}` })],
    ['a check run that is not over', check({ status: 'in_progress' })],
    ['a check run that failed', check({ conclusion: 'failure' })],
    [
      'a newer check run about other evidence',
      { ...STATE, checks: [{ ...CHECK, id: 6, external_id: 'sha256:x' }, CHECK] },
    ],
    ['no app', STATE, { appId: undefined }],
    [
      'an approval that was dismissed later',
      { ...STATE, reviews: [REVIEW, later({ state: 'DISMISSED' })] },
    ],
  ])('%s', (_, state, rules = {}) => {
    expect(judgeReviews(state, { ...RULES, ...rules })).toEqual({
      is: 'waiting',
      why: expect.stringMatching(/^[^.]{5,100}$/),
    });
  });
});

test('what a person said last counts, in whatever order it is told', () => {
  const no = later({ state: 'CHANGES_REQUESTED' });
  for (const reviews of [
    [REVIEW, no],
    [no, REVIEW],
  ])
    expect(judgeReviews({ ...STATE, reviews }, RULES)).toMatchObject({ is: 'changes_requested' });
  const yes = later({ state: 'APPROVED' });
  const first = { ...REVIEW, state: 'CHANGES_REQUESTED' };
  expect(judgeReviews({ ...STATE, reviews: [first, yes] }, RULES)).toMatchObject({
    is: 'approved',
  });
});

test('one listed person who wants changes holds it up; somebody else does not', () => {
  const by = (user: typeof ANN) => [REVIEW, later({ state: 'CHANGES_REQUESTED', user })];
  expect(judgeReviews({ ...STATE, reviews: by(BEN) }, RULES)).toMatchObject({
    is: 'changes_requested',
    by: { person: 'ben@example.org' },
  });
  const stranger = { ...BEN, id: 99 };
  expect(judgeReviews({ ...STATE, reviews: by(stranger) }, RULES)).toMatchObject({
    is: 'approved',
  });
});

test('a merge is told whatever was decided', () => {
  const pull = {
    ...PULL,
    state: 'closed',
    merged_at: '2026-01-01T11:30:00Z',
    merge_commit_sha: OTHER,
  };
  expect(judgeReviews({ ...STATE, pull }, RULES)).toEqual({ is: 'merged', commit: OTHER });
});
