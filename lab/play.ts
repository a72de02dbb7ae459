/** Plays one scenario from beginning to end with a real Hone beside it, and judges what came of it. */
import type { JsonlEvent } from '../src/observe/index.ts';
import {
  type ApproverKind,
  decidePending,
  isAtWork,
  type Person,
  rollbacksAsked,
  takeBackAsked,
} from './approvers.ts';
import { HOUR_MS } from './arrivals.ts';
import { auditLedger } from './audit.ts';
import { filesWithoutHone } from './commits.ts';
import type { Outcome } from './expect-schema.ts';
import { mainOutcome } from './expected.ts';
import { FleetRun, type Tick } from './fleet-run.ts';
import { type Harmed, harmDone } from './harm.ts';
import { expectDone, type LabInstallation, openLab } from './installation.ts';
import { type Change, honesChanges, isNews, type Judged, judge, sameFiles } from './judge.ts';
import { type JudgedProposal, proposalsMade } from './proposals-made.ts';
import type { Scenario } from './scenario.ts';
import { type StatedCause, statedCauses } from './stated-causes.ts';
import { toldThings } from './told.ts';

const DAY_MS = 86_400_000;

export interface PlayOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly approver: ApproverKind;
  readonly postgresUrl?: string;
  readonly onDay?: (day: number) => void;
}

export interface Played extends Judged {
  readonly scenario: string;
  readonly seed: number;
  readonly approver: ApproverKind;
  readonly expected: Outcome;
  /** How each proposal ended. */
  readonly proposals: readonly JudgedProposal[];
  /** Right changes that were deployed, and those of them that were taken back. */
  readonly right: { readonly deployed: number; readonly takenBack: number };
  /** From the onset to the first right proposal, and from each deployment that was taken back to its end. */
  readonly hoursToDetection: number | null;
  readonly hoursToRollback: readonly number[];
  readonly harmed: Harmed | null;
  readonly told: number;
  /** Causes that were stated and can be judged. */
  readonly stated: readonly StatedCause[];
  readonly events: number;
  /** What each virtual day took of this process; one is watched while a change is in its watch. */
  readonly days: readonly { readonly cpuSeconds: number; readonly isWatched: boolean }[];
  /** What an auditor finds wrong: a broken ledger, an invariant that did not hold. */
  readonly violations: readonly string[];
  /** Every approver would have done the same at the same times: all that was asked was granted as soon as it was asked. */
  readonly isAlikeForAll: boolean;
}

export async function playScenario(options: PlayOptions): Promise<Played> {
  const { scenario, seed, approver } = options;
  await using lab = await openLab(options);
  const person = { kind: approver, lab, scenario, secret: await approverToken(lab) };
  const startMs = lab.clock.nowMs();
  const story = new Story(person);
  await story.noteChange();
  const days: Played['days'][number][] = [];
  {
    await using run = new FleetRun({
      lab,
      scenario,
      seed,
      afterSteps: (tick) => story.afterSteps(tick),
      onTick: (tick) => story.onTick(tick),
      onCommit: () => story.noteChange(),
    });
    for (let day = 0; day < scenario.days; day++) {
      options.onDay?.(day);
      days.push(await story.day(run, startMs + day * DAY_MS));
    }
  }
  const { changes, events } = story;
  const endMs = lab.clock.nowMs();
  const proposals = await proposalsMade(lab, scenario);
  const told = await toldThings(lab);
  const [firstOwn] = honesChanges(changes);
  const isChanged = !sameFiles(changes.at(-1)!.files, changes.at(-1)!.own);
  const harmed =
    scenario.version === 1 || firstOwn === undefined || !isChanged
      ? null
      : harmDone({ scenario, seed }, events, { sinceMs: firstOwn.atMs, endMs });
  return {
    scenario: scenario.name,
    seed,
    approver,
    expected: mainOutcome(scenario),
    ...judge({ scenario, changes, events, startMs, endMs, proposals, told, harmed }),
    proposals,
    ...timesOf(proposals, startMs + onsetHour(scenario) * HOUR_MS),
    harmed,
    told: told.length,
    stated: await statedCauses(lab, scenario),
    events: events.length,
    days,
    violations: await auditLedger(lab),
    isAlikeForAll: !story.wasPutOff && !(await hasRollback(person, proposals)),
  };
}

/** When a rollback is asked for, and when it is made, is a matter of who is at work. */
async function hasRollback(person: Person, proposals: readonly JudgedProposal[]): Promise<boolean> {
  if (proposals.some(({ state }) => state === 'reverted')) return true;
  return (await rollbacksAsked(person)).length > 0;
}

function timesOf(proposals: readonly JudgedProposal[], onsetMs: number) {
  const right = proposals.filter(({ isRight }) => isRight === true);
  const deployed = right.filter(({ deployedAtMs }) => deployedAtMs !== null);
  const hours = (ms: number) => Math.round((ms / HOUR_MS) * 10) / 10;
  return {
    right: {
      deployed: deployed.length,
      takenBack: deployed.filter(({ state }) => state === 'reverted').length,
    },
    hoursToDetection:
      right.length === 0 ? null : Math.max(0, hours(right[0]!.createdAtMs - onsetMs)),
    hoursToRollback: proposals.flatMap(({ deployedAtMs, revertedAtMs }) =>
      deployedAtMs === null || revertedAtMs === null ? [] : [hours(revertedAtMs - deployedAtMs)],
    ),
  };
}

function onsetHour({ expect }: Scenario): number {
  const hours = [expect].flat().flatMap((one) => ('onset_hour' in one ? [one.onset_hour] : []));
  return hours.length === 0 ? 0 : Math.min(...hours);
}

/** What people see and do while a scenario is played. */
class Story {
  readonly changes: Change[] = [];
  readonly events: JsonlEvent[] = [];
  readonly #person: Person;
  #isWaiting = false;
  #isWatched = false;
  #isDeployed = false;
  #wasPutOff = false;

  constructor(person: Person) {
    this.#person = person;
  }

  /** Something waited for people to be at work, or was rejected. */
  get wasPutOff(): boolean {
    return this.#wasPutOff;
  }

  async day(run: FleetRun, fromMs: number): Promise<Played['days'][number]> {
    this.#isWatched = false;
    const before = process.cpuUsage();
    for (let nowMs = fromMs; nowMs < fromMs + DAY_MS; ) {
      nowMs += this.#isWaiting ? 15 * 60_000 : HOUR_MS;
      await run.until(Math.min(nowMs, fromMs + DAY_MS));
      await this.#act(run);
    }
    const { user, system } = process.cpuUsage(before);
    return { cpuSeconds: (user + system) / 1e6, isWatched: this.#isWatched };
  }

  async #act(run: FleetRun): Promise<void> {
    if (!isAtWork(this.#person)) {
      this.#wasPutOff ||= this.#isWaiting;
      return;
    }
    let hasActed = false;
    if (this.#isWaiting) {
      const { decided, rejected, isLeft } = await decidePending(this.#person);
      this.#wasPutOff ||= rejected > 0;
      this.#isWaiting = isLeft;
      this.#isDeployed ||= decided > 0;
      hasActed = decided > 0;
    }
    if (this.#isDeployed) hasActed = (await takeBackAsked(this.#person)) || hasActed;
    if (!hasActed) return;
    run.forgetFiles();
    await this.noteChange();
  }

  async afterSteps({ steps }: Tick): Promise<void> {
    this.#isWatched ||= steps.some(({ step }) => step === 'monitor');
    if (steps.some(({ step }) => step === 'approve')) this.#isWaiting = true;
    if (!steps.some(({ step }) => step === 'deploy' || step === 'rollback')) return;
    this.#isDeployed = true;
    await this.noteChange();
  }

  onTick({ events }: Tick): void {
    for (const event of events) this.events.push(event);
  }

  async noteChange(): Promise<void> {
    const { lab, scenario } = this.#person;
    const atMs = lab.clock.nowMs();
    const files = await lab.files();
    const change = { atMs, files, own: filesWithoutHone(scenario, atMs) };
    if (isNews(change, this.changes.at(-1))) this.changes.push(change);
  }
}

/** Somebody who may decide, also where a decision needs more than a local user. */
export async function approverToken(lab: LabInstallation): Promise<string> {
  const made = await lab.honeAs(
    lab.operatorSecret,
    ...['token', 'add', 'approver', '--role', 'approver', '--json'],
  );
  return expectDone(made).json<{ secret: string }>().secret;
}
