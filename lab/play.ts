/** Plays one scenario from beginning to end with a real Hone beside it, and judges what came of it. */
import type { ProposalState } from '../src/facts/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import { type ApproverKind, decidePending } from './approvers.ts';
import { auditLedger } from './audit.ts';
import { FleetRun, type Tick } from './fleet-run.ts';
import { expectDone, type LabInstallation, openLab } from './installation.ts';
import { type Judged, judge } from './judge.ts';
import type { Scenario } from './scenario.ts';

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
  readonly expected: Scenario['expect']['outcome'];
  /** How each proposal ended. */
  readonly proposals: readonly { readonly title: string; readonly state: ProposalState }[];
  readonly events: number;
  /** What each virtual day took of this process; one is watched while a change is in its watch. */
  readonly days: readonly { readonly cpuSeconds: number; readonly isWatched: boolean }[];
  /** What an auditor finds wrong: a broken ledger, an invariant that did not hold. */
  readonly violations: readonly string[];
}

/** When the target's files changed, and what they were then. */
export interface Change {
  readonly atMs: number;
  readonly files: ReadonlyMap<string, string>;
}

export async function playScenario(options: PlayOptions): Promise<Played> {
  const { scenario, seed, approver } = options;
  await using lab = await openLab(options);
  const secret = await approverToken(lab);
  const startMs = lab.clock.nowMs();
  const changes: Change[] = [{ atMs: startMs, files: await lab.files() }];
  const events: JsonlEvent[] = [];
  let isWaiting = false;
  const decide = async (run: FleetRun) => {
    if (!isWaiting) return;
    if (!(await decidePending(approver, lab, secret))) return;
    isWaiting = false;
    run.forgetFiles();
    await noteChange(lab, changes);
  };
  let isWatched = false;
  const days: Played['days'][number][] = [];
  const afterSteps = async ({ steps }: Tick) => {
    isWatched ||= steps.some(({ step }) => step === 'monitor');
    if (steps.some(({ step }) => step === 'approve')) isWaiting = true;
    if (steps.some(({ step }) => step === 'deploy' || step === 'rollback')) {
      await noteChange(lab, changes);
    }
  };
  const onTick = ({ events: some }: Tick) => {
    for (const event of some) events.push(event);
  };
  {
    await using run = new FleetRun({ lab, scenario, seed, afterSteps, onTick });
    for (let day = 0; day < scenario.days; day++) {
      options.onDay?.(day);
      isWatched = false;
      const before = process.cpuUsage();
      for (let nowMs = startMs + day * DAY_MS; nowMs < startMs + (day + 1) * DAY_MS; ) {
        nowMs += isWaiting ? 15 * 60_000 : 60 * 60_000;
        await run.until(Math.min(nowMs, startMs + (day + 1) * DAY_MS));
        await decide(run);
      }
      const { user, system } = process.cpuUsage(before);
      days.push({ cpuSeconds: (user + system) / 1e6, isWatched });
    }
  }
  const listed = expectDone(await lab.hone('proposals', 'list', '--json'));
  const { proposals } = listed.json<{ proposals: { title: string; state: ProposalState }[] }>();
  return {
    scenario: scenario.name,
    seed,
    approver,
    expected: scenario.expect.outcome,
    ...judge({ scenario, changes, events, startMs, endMs: lab.clock.nowMs() }),
    proposals: proposals.map(({ title, state }) => ({ title, state })),
    events: events.length,
    days,
    violations: await auditLedger(lab),
  };
}

async function noteChange(lab: LabInstallation, changes: Change[]): Promise<void> {
  const files = await lab.files();
  const last = changes.at(-1)!.files;
  const isSame =
    files.size === last.size && [...files].every(([path, text]) => last.get(path) === text);
  if (!isSame) changes.push({ atMs: lab.clock.nowMs(), files });
}

/** Somebody who may decide, also where a decision needs more than a local user. */
export async function approverToken(lab: LabInstallation): Promise<string> {
  const made = await lab.honeAs(
    lab.operatorSecret,
    ...['token', 'add', 'approver', '--role', 'approver', '--json'],
  );
  return expectDone(made).json<{ secret: string }>().secret;
}
