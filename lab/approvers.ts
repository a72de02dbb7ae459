/** Simulated people who decide, through the same commands that people use. */
import type { LabInstallation } from './installation.ts';
import { expectDone } from './installation.ts';

export const APPROVERS = ['scripted', 'blind'] as const;
/**
 * `scripted` looks at what is asked during working hours and approves what was proven to help; `blind`
 * approves at once whatever it is asked: then nothing but Hone itself stands between a change and the fleet.
 */
export type ApproverKind = (typeof APPROVERS)[number];

interface Listed {
  readonly proposals: readonly { readonly id: string; readonly digest: string }[];
}

interface Shown {
  readonly validation: string | null;
}

/** Looks at what waits, and decides if it is time to; true when something was decided. */
export async function decidePending(
  kind: ApproverKind,
  lab: LabInstallation,
  secret: string,
): Promise<boolean> {
  if (kind === 'scripted' && !isWorkingHour(lab.clock.nowMs())) return false;
  const listed = await lab.hone('proposals', 'list', '--state', 'pending', '--json');
  const { proposals } = expectDone(listed).json<Listed>();
  for (const { id, digest } of proposals) {
    if (kind === 'blind' || (await isProven(id, lab))) {
      expectDone(await lab.honeAs(secret, 'approve', id, '--digest', digest, '--json'));
    } else {
      const reason = 'not proven to help';
      expectDone(await lab.honeAs(secret, 'reject', id, '--reason', reason, '--json'));
    }
  }
  return proposals.length > 0;
}

async function isProven(id: string, lab: LabInstallation): Promise<boolean> {
  const shown = expectDone(await lab.hone('proposals', 'show', id, '--json')).json<Shown>();
  return shown.validation === 'passed';
}

function isWorkingHour(nowMs: number): boolean {
  const hour = new Date(nowMs).getUTCHours();
  return hour >= 9 && hour < 17;
}
