/**
 * The sections that are lists of things rooms bring: schedules and gates. Rooms register theirs as
 * data; `main.ts` collects them and builds the section from all of them.
 */
import { z } from 'zod';
import { SWITCH_MODES, type SwitchMode } from '../facts/index.ts';
import { field, group, section } from './fields.ts';
import { duration } from './quantities.ts';
import { cron, timeZone } from './value-types.ts';

/** `missed`: it ran late because nothing was running; `timeout`: it was stopped. */
const NOTIFY_ON = ['error', 'timeout', 'missed', 'proposal_created'] as const;
type NotifyOn = (typeof NOTIFY_ON)[number];

const notifySchema = z
  .array(
    z.strictObject({
      on: z.enum(NOTIFY_ON),
      /** A role, or somebody's name. */
      to: z.string().min(1).max(200),
    }),
  )
  .max(20);

export interface ScheduleDefault<N extends string = string> {
  readonly name: N;
  readonly comment: string;
  readonly cron: string;
  readonly timeout: string;
  readonly notify: readonly { readonly on: NotifyOn; readonly to: string }[];
}

export interface GateDefault<N extends string = string> {
  readonly name: N;
  readonly comment: string;
  readonly mode: SwitchMode;
  /** It enforces in every mode: what the file says about it has no effect. */
  readonly isFixed?: true;
}

export function schedulesSection<const N extends string>(defaults: readonly ScheduleDefault<N>[]) {
  const shape = byName(defaults, (schedule) =>
    group(schedule.comment, {
      cron: field(cron(), schedule.cron, {
        weakens: 'any',
        comment: 'When: minute, hour, day, month, weekday.',
      }),
      timezone: field(timeZone(), 'UTC', {
        weakens: 'any',
        comment: 'Time zone, such as Europe/Berlin.',
      }),
      timeout: field(duration({ min: '1s', max: '24h' }), schedule.timeout, {
        weakens: 'any',
        comment: 'Stopped after this long.',
      }),
      notify: field(notifySchema, [...schedule.notify], {
        weakens: 'removal',
        comment: 'Who is told, and when: a role (operator, approver, viewer) or a name.',
      }),
    }),
  );
  return section(
    'schedules',
    'Work that runs at set times. Missed runs are caught up with one run.',
    shape,
  );
}

export function switchesSection<const N extends string>(gates: readonly GateDefault<N>[]) {
  // Also for a gate that nothing switches: a file that was good once must not lock its installation out.
  const shape = byName(gates, ({ mode, comment, isFixed }) =>
    field(z.enum(SWITCH_MODES), mode, {
      weakens: isFixed === true ? 'never' : { strictestFirst: SWITCH_MODES.toReversed() },
      comment,
    }),
  );
  const title = 'Gates: enforce, observe (record, let pass) or off (needs a human, recorded).';
  return section('switches', title, shape);
}

function byName<I extends { readonly name: string }, F>(
  items: readonly I[],
  make: (item: I) => F,
): Record<I['name'], F> {
  return Object.fromEntries(items.map((item) => [item.name, make(item)])) as Record<I['name'], F>;
}
