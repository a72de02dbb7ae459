/**
 * What Hone says of a world, without changing anything in it: the fleet lives on, every few hours Hone reads what was
 * written and is asked for a diagnosis, as by `hone diagnose`. A world takes seconds where a whole play takes minutes,
 * because nothing is proposed, replayed or watched.
 */
import type { Among, Clues, Diagnosis } from '../src/diagnose/index.ts';
import { HOUR_MS } from './arrivals.ts';
import { FleetRun } from './fleet-run.ts';
import { openLab } from './installation.ts';
import type { Scenario } from './scenario.ts';
import {
  isRightIn,
  type Judged,
  judgedStatements,
  placeKey,
  type StatedCause,
} from './stated-causes.ts';

/** No divisor of a day, so that looks come at all hours; a nightly cycle and triggers look about as often. */
const EVERY_HOURS = 14;
/** Later than this after its beginning nothing new goes wrong in a world, and a diagnosis looks back on a day. */
const HOURS_MAX = 98;

export interface Looked {
  /** What was blamed, each cause of a pattern once, as sure as it was in the end. */
  readonly stated: readonly StatedCause[];
  /** All that was thought of, at every look. */
  readonly weighed: readonly WeighedPattern[];
}

/** The causes of a pattern that competed at a look. */
export interface WeighedPattern {
  readonly id: string;
  readonly causes: readonly {
    /** What is blamed, to tell causes apart. */
    readonly place: string;
    readonly clues: Clues;
    /** With whom it was counted as one; null where it competed with nobody. */
    readonly among: Among | null;
    /** Undefined where the world does not say. */
    readonly isRight: boolean | undefined;
  }[];
}

export async function lookAt(scenario: Scenario, seed: number): Promise<Looked> {
  await using lab = await openLab({ scenario, seed });
  const startMs = lab.clock.nowMs();
  const looks: Diagnosis[] = [];
  {
    await using run = new FleetRun({ lab, scenario, seed });
    run.isUp = false;
    const hours = Math.min(HOURS_MAX, scenario.days * 24);
    for (let hour = EVERY_HOURS; hour <= hours; hour += EVERY_HOURS) {
      await run.until(startMs + hour * HOUR_MS);
      looks.push(await run.look());
    }
  }
  const judged = { lab, scenario };
  return {
    stated: await judgedStatements(
      looks.flatMap(({ patterns }) => patterns),
      judged,
    ),
    weighed: (await Promise.all(looks.map((look) => weighedAt(look, judged)))).flat(),
  };
}

/** Those that can be judged. */
async function weighedAt({ weighed }: Diagnosis, judged: Judged): Promise<WeighedPattern[]> {
  const patterns: WeighedPattern[] = [];
  for (const { id, agent, causes } of weighed) {
    const found: WeighedPattern['causes'][number][] = [];
    for (const { subject, clues, among } of causes) {
      const isRight = await isRightIn({ agent, subject }, judged);
      if (subject.kind !== 'unknown')
        found.push({ place: placeKey(subject), clues, among, isRight });
    }
    patterns.push({ id, causes: found });
  }
  return patterns;
}
