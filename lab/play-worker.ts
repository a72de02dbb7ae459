/** A process that plays scenarios for `npm run lab`, one after the other: an order comes in, what came of it goes out. */
import { errorMessage } from '../src/base/index.ts';
import type { ApproverKind } from './approvers.ts';
import { type Played, playScenario } from './play.ts';
import { randomWorld } from './random/world.ts';
import type { Scenario } from './scenario.ts';

export interface PlayOrder {
  /** A random world is drawn where it is played: drawing takes a second or two. */
  readonly of:
    | { readonly scenario: Scenario }
    | { readonly worldSeed: number; readonly harmful?: number | undefined };
  readonly seed: number;
  readonly approvers: readonly ApproverKind[];
}

export type PlayAnswer =
  | { readonly kind: 'day'; readonly day: number }
  | {
      readonly kind: 'played';
      readonly title: string;
      readonly played: readonly Played[];
      readonly cpuSeconds: number;
    }
  | { readonly kind: 'failed'; readonly why: string };

export function scenarioOf({ of }: PlayOrder): Scenario {
  return 'scenario' in of ? of.scenario : randomWorld(of.worldSeed, of);
}

function answer(what: PlayAnswer): void {
  process.send!(what);
}

async function play(order: PlayOrder): Promise<PlayAnswer> {
  const before = process.cpuUsage();
  const scenario = scenarioOf(order);
  const played: Played[] = [];
  for (const approver of order.approvers) {
    const [first] = played;
    // Where everybody would have done the same, it does not matter who was asked.
    const onDay = (day: number) => answer({ kind: 'day', day });
    const { seed } = order;
    played.push(
      first?.isAlikeForAll === true
        ? { ...first, approver }
        : await playScenario({ scenario, seed, approver, onDay }),
    );
  }
  const { user, system } = process.cpuUsage(before);
  return { kind: 'played', title: scenario.title, played, cpuSeconds: (user + system) / 1e6 };
}

process.on('message', async (order: PlayOrder) => {
  try {
    answer(await play(order));
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
    answer({ kind: 'failed', why });
  }
});
