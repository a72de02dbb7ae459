import { expect, test } from 'vitest';
import { makeContent } from '../../test/proposals.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { newsOf } from './news.ts';

const DOSSIER = { proposal: { id: 'p_1', version: 7 }, content: makeContent() } as Dossier;

function proposed(atMs: number, probability = 0.9) {
  const entry = { type: 'monitor.rollback_proposed', atMs, data: { why: 'harm', probability } };
  const step = { did: 'It seems to do harm.', entries: [entry] } as unknown as ProposalStep;
  return newsOf(DOSSIER, step)[0]!;
}

test('a rollback that is proposed is told once, and again when it is proposed again', () => {
  expect(proposed(1).key).toBe(proposed(1).key);
  expect(proposed(1).key).not.toBe(proposed(2).key);
});

test('an experiment is not called a cause', () => {
  expect(proposed(1)).toMatchObject({ severity: 'critical' });
  expect(proposed(1, 0.6)).toMatchObject({ severity: 'high' });
  expect(proposed(1, 0.6).title).toContain('May do harm');
});

test('a trial that is taken back wakes nobody as harm does', () => {
  const reverted = { did: 'It was a trial, and brought nothing.', to: 'reverted' } as const;
  expect(newsOf(DOSSIER, reverted)[0]).toMatchObject({ severity: 'critical' });
  const [news] = newsOf(DOSSIER, { ...reverted, isVain: true });
  expect(news).toMatchObject({ severity: 'medium', title: expect.stringContaining('Tried') });
});
