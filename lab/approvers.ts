/** Simulated people who decide and do what Hone asks of them, through the same commands that people use. */
import type { LabInstallation, Ran } from './installation.ts';
import { expectDone } from './installation.ts';
import type { Scenario } from './scenario.ts';

export const APPROVERS = ['scripted', 'blind'] as const;
/**
 * `scripted` looks at what is asked during working hours and approves what was proven to help; where nothing could
 * prove it, because there is no replay or it could not judge, also what nothing speaks against. `blind` does at once whatever it is asked: then nothing but Hone itself
 * stands between a change and the fleet.
 */
export type ApproverKind = (typeof APPROVERS)[number];

interface Listed {
  readonly proposals: readonly { readonly id: string; readonly digest: string }[];
}

interface Shown {
  readonly validation: string | null;
  readonly attestations: readonly {
    readonly kind: string;
    readonly mode?: string;
    readonly unjudged?: string;
  }[];
}

interface Changes {
  readonly changes: readonly {
    readonly id: string;
    readonly rollback: { readonly why: string } | null;
  }[];
}

/** Decisions at one sitting: one that renews itself without end would keep a person for ever. */
const DECISIONS_MAX = 20;

export interface Person {
  readonly kind: ApproverKind;
  readonly lab: LabInstallation;
  readonly secret: string;
  readonly scenario: Scenario;
}

export function isAtWork({ kind, lab }: Person): boolean {
  return kind === 'blind' || isWorkingHour(lab.clock.nowMs());
}

/** What was decided, how much of it was rejected, and whether some is left. */
interface Sitting {
  readonly decided: number;
  readonly rejected: number;
  readonly isLeft: boolean;
}

/** Decides all that waits, also what comes to wait meanwhile. */
export async function decidePending(person: Person): Promise<Sitting> {
  const { lab, secret } = person;
  const done = new Set<string>();
  let rejected = 0;
  for (let decided = 0; ; decided++) {
    const listed = await lab.hone('proposals', 'list', '--state', 'pending', '--json');
    const { proposals } = expectDone(listed).json<Listed>();
    const next = proposals.find(({ id, digest }) => !done.has(`${id} ${digest}`));
    if (next === undefined || decided === DECISIONS_MAX)
      return { decided, rejected, isLeft: proposals.length > 0 };
    const { id, digest } = next;
    done.add(`${id} ${digest}`);
    const isGranted = await isConvincing(id, person);
    if (!isGranted) rejected++;
    const decision = isGranted
      ? ['approve', id, '--digest', digest]
      : ['reject', id, '--reason', 'not proven to help'];
    expectAnswered(await lab.honeAs(secret, ...decision, '--json'));
  }
}

/** Takes back what Hone asks to take back; true when something was. */
export async function takeBackAsked(person: Person): Promise<boolean> {
  const { lab, secret } = person;
  const asked = await rollbacksAsked(person);
  for (const { id, rollback } of asked)
    expectAnswered(await lab.honeAs(secret, 'rollback', id, '--reason', rollback!.why, '--json'));
  return asked.length > 0;
}

/** The changes that Hone asks to take back. */
export async function rollbacksAsked({ lab }: Person): Promise<Changes['changes']> {
  const listed = await lab.hone('changes', 'list', '--limit', '1000', '--json');
  if (listed.exit !== 0) return [];
  return listed.json<Changes>().changes.filter(({ rollback }) => rollback !== null);
}

/** A refusal is an answer: what was asked may be gone meanwhile. Anything else that is not done is a fault. */
function expectAnswered(ran: Ran): void {
  if (ran.exit !== 1) expectDone(ran);
}

async function isConvincing(id: string, { kind, lab, scenario }: Person): Promise<boolean> {
  if (kind === 'blind') return true;
  const shown = expectDone(await lab.hone('proposals', 'show', id, '--json')).json<Shown>();
  if (shown.validation === 'passed') return true;
  if (shown.validation !== 'inconclusive') return false;
  const replayed = shown.attestations.findLast(({ mode }) => mode === 'replay');
  return replayed === undefined ? replayOf(scenario) !== 'full' : canNotJudge(replayed);
}

/** One that touches its own judge is not let through for it. */
function canNotJudge({ unjudged }: Shown['attestations'][number]): boolean {
  return unjudged !== undefined && unjudged !== 'touches_judge';
}

/** What a scenario's replay knows. */
export function replayOf({ replay, version }: Scenario): NonNullable<Scenario['replay']> {
  return replay ?? (version === 1 ? 'full' : 'censored');
}

function isWorkingHour(nowMs: number): boolean {
  const hour = new Date(nowMs).getUTCHours();
  return hour >= 9 && hour < 17;
}
