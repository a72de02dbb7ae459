/** How Hone has done: H2 deployments, H3 rollbacks, H7 approvals, and whether it was as sure as it was right. Pure. */
import type { HealthState } from './health.ts';

export interface TrackCheck {
  readonly id: 'H2' | 'H3' | 'H7';
  readonly state: HealthState;
  readonly text: string;
}

export interface TrackFigures {
  readonly deployed: number;
  readonly failed: number;
  /** Of those deployed. */
  readonly takenBack: number;
  /** By people. */
  readonly approved: number;
  readonly rejected: number;
}

/** With fewer a share says nothing: one of three is no rate. */
const JUDGED_MIN = 10;

export function trackChecks(figures: TrackFigures): TrackCheck[] {
  const { deployed, failed, takenBack, approved, rejected } = figures;
  return [
    {
      id: 'H2',
      ...judged({ good: deployed, all: deployed + failed, ok: 0.95, warning: 0.9 }),
      text: ofAll(deployed, deployed + failed, 'deployments succeeded'),
    },
    {
      id: 'H3',
      ...judged({ good: deployed - takenBack, all: deployed, ok: 0.95, warning: 0.9 }),
      text: ofAll(takenBack, deployed, 'deployed changes were taken back'),
    },
    {
      id: 'H7',
      ...judged({ good: approved, all: approved + rejected, ok: 0.8, warning: 0.6 }),
      text: ofAll(approved, approved + rejected, 'proposals that people answered were approved'),
    },
  ];
}

function judged(of: { good: number; all: number; ok: number; warning: number }): {
  state: HealthState;
} {
  if (of.all < JUDGED_MIN) return { state: 'unknown' };
  const share = of.good / of.all;
  return { state: share >= of.ok ? 'ok' : share >= of.warning ? 'warning' : 'error' };
}

const ofAll = (some: number, all: number, what: string) => `${some} of ${all} ${what}`;

/** How sure causes were said to be, and how many of them were right. */
export interface ConfidenceBand {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The mean of what was said; null without any. */
  readonly said: number | null;
  readonly right: number;
}

/** Causes below a half are told and not acted on, so that few outcomes are there: one band. */
const BAND_ENDS = [0.5, 0.7, 0.8, 0.9, 1] as const;

export function confidenceBands(
  outcomes: readonly { readonly stated: number; readonly isTrue: boolean }[],
): ConfidenceBand[] {
  return BAND_ENDS.map((to, at) => {
    const from = at === 0 ? 0 : BAND_ENDS[at - 1]!;
    const own = outcomes.filter(
      ({ stated }) => stated >= from && (stated < to || (to === 1 && stated === 1)),
    );
    const sum = own.reduce((total, { stated }) => total + stated, 0);
    return {
      from,
      to,
      count: own.length,
      said: own.length === 0 ? null : sum / own.length,
      right: own.filter(({ isTrue }) => isTrue).length,
    };
  });
}
