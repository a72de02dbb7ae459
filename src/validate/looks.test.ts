import { describe, expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import type { Attestation } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { binomialSf } from '../stats/index.ts';
import { lookAgain, looksOf, significanceOfLook } from './looks.ts';
import { dossierOf, drawn, SETTINGS, sessionNames } from './validate.test-support.ts';

const HOUR_MS = 3_600_000;
const NOBODY = { tried: 0, spent: 0, sinceMs: null };
const look = (number: number) => ({ tried: number, spent: number, sinceMs: 0 });

describe('VAL-5 statistics that stay valid when looked at early', () => {
  test('the chances of all looks together are at most that of one', () => {
    const chances = Array.from(
      { length: 60 },
      (_, spent) => 1 - significanceOfLook(look(spent), 0.95),
    );
    expect(chances[0]).toBeCloseTo(0.025);
    expect(chances.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(0.05 + 1e-12);
  });

  test('a change that does nothing seldom passes any of its looks; at one level for all it does', () => {
    const streams = 4000;
    const passed = (chanceOf: (at: number) => number) => {
      const random = seededRandom(7);
      let found = 0;
      for (let stream = 0; stream < streams; stream++) {
        let [better, differing] = [0, 0];
        found += [20, 40, 80, 160, 320].some((size, at) => {
          for (; differing < size; differing++) better += random.next() < 0.5 ? 1 : 0;
          return binomialSf(better - 1, differing, 0.5) <= chanceOf(at);
        })
          ? 1
          : 0;
      }
      return found / streams;
    };
    expect(passed((at) => 1 - significanceOfLook(look(at), 0.95))).toBeLessThan(0.05);
    expect(passed(() => 0.05)).toBeGreaterThan(0.08);
  });
});

describe('the looks of the record', () => {
  const dossier = dossierOf({ base: 'a'.repeat(40), diff: '' } as never);
  const said = (more: object): Attestation =>
    ({
      ...{ kind: 'validation', mode: 'replay', verdict: 'inconclusive', atMs: 7 },
      ...{ contentDigest: dossier.proposal.digest, ...more },
    }) as Attestation;
  const withLooks = (...attestations: Attestation[]): Dossier => ({ ...dossier, attestations });

  test('are those of this mode at these bytes', () => {
    const others = [said({ mode: 'unit' }), said({ contentDigest: 'other' })];
    expect(looksOf(withLooks(...others, said({})), 'replay')).toEqual({
      ...{ tried: 1, spent: 1, sinceMs: 7 },
    });
    expect(looksOf(withLooks(...others), 'replay')).toEqual(NOBODY);
  });

  test('use up a chance where sides were compared without a pass', () => {
    const unjudged = ['too_few_sessions', 'no_answer', 'unsteady_base', 'touches_judge'];
    const looks = [
      ...unjudged.map((word) => said({ unjudged: word })),
      said({ verdict: 'passed' }),
    ];
    expect(looksOf(withLooks(...looks), 'replay')).toMatchObject({ tried: 5, spent: 0 });
    const compared = ['not_reproduced', 'unknown_ends', 'nothing_failed'];
    const spent = compared.map((word) => said({ unjudged: word }));
    expect(looksOf(withLooks(...spent), 'replay')).toMatchObject({ tried: 3, spent: 3 });
  });
});

describe('another look', () => {
  const asked = (more: Partial<Parameters<typeof lookAgain>[0]>) =>
    lookAgain({
      ...{ settledBy: 150, asked: 100, looks: NOBODY, nowMs: 10 * HOUR_MS, settings: SETTINGS },
      drawn: drawn(sessionNames(100), { perHour: 60 }),
      ...more,
    });

  test('comes when what is missing will be there at the present rate', () => {
    expect(asked({})).toEqual({
      words:
        '50 more take about 50 minutes at the present rate of 60 an hour; then it is replayed again.',
      dueAtMs: 10 * HOUR_MS + 50 * 60_000,
    });
  });

  test.each([
    ['the rate is not known', { drawn: drawn([], { perHour: 0 }) }, 'No more come at present'],
    ['it takes too long', { settledBy: 200 }, 'longer than validate.extend (1h).'],
    [
      'it was looked at for so long already',
      { looks: { tried: 1, spent: 1, sinceMs: 9.5 * HOUR_MS } },
      'longer than validate.extend (1h).',
    ],
    ['as many are never replayed', { settledBy: 401 }, 'validate.sessions allows 400.'],
    [
      'it was looked at often',
      { looks: { tried: 4, spent: 4, sinceMs: 10 * HOUR_MS } },
      'it was replayed 5 times, and is not again.',
    ],
  ])('is not waited for where %s', (_, more, words) => {
    const { dueAtMs, words: said } = asked(more);
    expect(dueAtMs).toBeUndefined();
    expect(said).toContain(words);
  });
});
