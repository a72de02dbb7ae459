/**
 * People, agents and strangers do things at a forge in any order: reviews of old and new heads, pushes after reviews,
 * dismissals, merges by hand, bases that move with and without weaker tests, other history or worse figures, edits, decisions by command, two approvers, owners,
 * requests for changes, escalations, pauses, tiers that an operator switches on and off. No sequence may lead to a
 * deployment that nobody entitled decided on exactly those bytes and that evidence.
 */
import { seededRandom } from '../src/base/index.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { ApprovalWorld, type Removed } from './parts/approval-world.ts';

const SEQUENCES = 10_000;
/** Most end before: deployed, rejected, or merged by somebody else. */
const ACTS_MAX = 120;
const CONTROLS = [
  ...(['the second look', 'the head', 'the account', 'the evidence'] as const),
  ...([
    'the count',
    'the owner',
    'the editor',
    'the hold',
    'the request',
    'the escalation',
    'the switch',
  ] as const),
  ...(['the files', 'the history', 'the measures', 'the age', 'the same change'] as const),
];
/** Until the first violation, which comes within some thousand. */
const CONTROL_SEQUENCES = 20_000;

interface Tally {
  sequences: number;
  violations: number;
  deployments: number;
  outside: number;
  carried: number;
  alone: number;
}

function play(count: number, seed: number, removed?: Removed): Tally {
  const tally: Tally = {
    sequences: 0,
    violations: 0,
    deployments: 0,
    outside: 0,
    carried: 0,
    alone: 0,
  };
  for (let at = 0; at < count; at++) {
    const world = new ApprovalWorld(seededRandom(seed * 1_000_003 + at), removed);
    for (let acts = 0; acts < ACTS_MAX && !world.isOver; acts++) world.act();
    tally.sequences += 1;
    tally.violations += world.violations.length;
    tally.deployments += world.deployments;
    tally.outside += world.outside;
    tally.carried += world.carried;
    tally.alone += world.alone;
    if (removed !== undefined && tally.violations > 0) break;
  }
  return tally;
}

export const measurement: Measurement = {
  what: 'random sequences of reviews, pushes, merges, moved bases and decisions against the gate and the forge’s judgement',
  aims: { violations: '<=0', sequences: '>=10000', control_caught: '>=1' },
  async *run({ scale, seed, progress }: Context) {
    const kept = play(Math.ceil(SEQUENCES * scale), seed);
    progress(
      `${kept.deployments} of ${kept.sequences} sequences deployed, ${kept.outside} merged outside`,
    );
    yield { metric: 'violations', value: kept.violations, n: kept.deployments };
    yield { metric: 'sequences', value: kept.sequences };
    yield {
      metric: 'deployments',
      value: kept.deployments,
      note: 'by Hone, each with a fitting decision',
    };
    yield {
      metric: 'carried',
      value: kept.carried,
      note: 'approvals that counted on a moved base',
    };
    yield {
      metric: 'alone',
      value: kept.alone,
      note: 'by a tier that was switched on, without a person',
    };
    yield { metric: 'deployed_outside', value: kept.outside, note: 'merged by somebody else' };
    const caught = CONTROLS.map((removed) => {
      const { violations, sequences } = play(CONTROL_SEQUENCES, seed + 1, removed);
      progress(`without ${removed}: ${violations} violation after ${sequences} sequences`);
      return violations > 0;
    });
    yield {
      metric: 'control_caught',
      value: caught.every(Boolean) ? 1 : 0,
      note: `${caught.filter(Boolean).length} of ${CONTROLS.length} protections, each taken out alone`,
    };
  },
};
