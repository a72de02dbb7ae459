/** `hone changes list|show`. */

import { setTimeout as delay } from 'node:timers/promises';
import { listChanges, showChange, watchChange } from '../../app/changes.ts';
import type {
  ChangeList,
  ChangesListInput,
  ShownChange,
  ShownWatch,
} from '../../contracts/change.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { withInterrupt } from '../interruptible.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { minute } from '../quantities.ts';
import { shown, shownProse } from '../shown.ts';

export function changesList(context: Context, options: ChangesListInput): Promise<number> {
  return answer(context, listChanges(context, options), ({ changes }) =>
    changes.length === 0
      ? wrap('No change has reached the target yet.', context.io.columns)
      : listText(changes, context.io),
  );
}

type Listed = ChangeList['changes'][number];

/** Under each whose rollback is proposed, why, and the command. */
function listText(changes: readonly Listed[], io: Io): string {
  return table(
    {
      head: ['ID', 'STATE', 'WATCH', 'OUTCOME', 'TITLE'],
      rows: changes.map(({ id, state, watch, outcome, title }) => [
        id,
        state,
        watch,
        outcome ?? '-',
        shown(title),
      ]),
      isLastProse: true,
      notes: changes.map(({ rollback, id }) =>
        rollback === null ? null : io.style('yellow', rollbackText(id, rollback)),
      ),
    },
    io.columns,
  );
}

const rollbackText = (id: string, { why, since }: NonNullable<Listed['rollback']>) =>
  `Its rollback is proposed since ${minute(since)}: ${shownProse(why)} Run: hone rollback ${id} --reason "it does harm"`;

export function changesShow(context: Context, given: string): Promise<number> {
  return answer(context, showChange(context, given), (seen) => showText(seen, context.io));
}

export function showText(seen: ShownChange, io: Io): string {
  const { columns } = io;
  const { rollback } = seen;
  return [
    io.style('bold', wrap(shown(seen.title), columns)),
    fields(
      [
        ['Id', seen.id],
        ['State', seen.state],
        ['Deployed', seen.deployedAt === null ? 'not recorded' : minute(seen.deployedAt)],
        ['Watch', watchText(seen)],
        ['Outcome', outcomeText(seen)],
      ],
      columns,
      '  ',
    ),
    rollback === null
      ? ''
      : `\n${wrap(io.style('yellow', rollbackText(seen.id, rollback)), columns)}`,
    `\n${io.style('bold', 'What came of it')}\n`,
    ...(seen.effects.length === 0
      ? [wrap('Not measured yet.', columns, '  ')]
      : seen.effects.map((effect) => wrap(effectText(effect), columns, '  '))),
    `\n${io.style('bold', 'What happened')}\n`,
    ...seen.story.map(({ at, what }) => wrap(`${minute(at)}  ${shownProse(what)}`, columns, '  ')),
  ].join('');
}

function watchText({ watch, watchedUntil }: ShownChange): string {
  return watch === 'over' || watchedUntil === null
    ? watch
    : `${watch}, until ${minute(watchedUntil)}`;
}

function outcomeText({ outcome, outcomeReason }: ShownChange): string {
  if (outcome === null) return 'not known yet';
  return outcomeReason ? `${outcome}: ${shownProse(outcomeReason)}` : outcome;
}

const TIMES = { day: 'a day', week: 'a week', two_weeks: 'two weeks' } as const;

function effectText(effect: ShownChange['effects'][number]): string {
  const { after, before, since, benefit, low, high, controls } = effect;
  const meanwhile =
    controls === null
      ? ''
      : `; elsewhere failures went to ${controls.toFixed(2)} of what they were`;
  return `After ${TIMES[after]}: ${share(since)} failed, before ${share(before)}; ${points(benefit)} fewer than without it (95 %: ${points(low)} to ${points(high)})${meanwhile}.`;
}

const share = ({ bad, all }: { bad: number; all: number }) =>
  `${bad} of ${all} (${points(all === 0 ? 0 : bad / all)})`;
const points = (part: number) => `${(100 * part).toFixed(1)} %`;

/** In a terminal it is shown anew every minute until Ctrl-C; in a pipe once. */
export async function watch(context: Context, given: string): Promise<number> {
  const { io } = context;
  const once = () => answer(context, watchChange(context, given), (seen) => watchTextOf(seen, io));
  if (!io.isTerminal || io.json) return once();
  return withInterrupt(async (signal) => {
    for (;;) {
      io.out('\u001b[2J\u001b[H');
      const exit = await once();
      const isOver = await delay(WATCH_AGAIN_MS, false, { signal }).catch(() => true);
      if (exit !== 0 || isOver) return exit;
    }
  });
}

const WATCH_AGAIN_MS = 60_000;
const BAR = '▁▂▃▄▅▆▇█';
const NO_HOUR = '·';
/** The newest hours, as many as there is room for beside the name of their ring. */
const HOURS_SHOWN = 48;
const RING_COLUMNS = 12;

export function watchTextOf(seen: ShownWatch, io: Io): string {
  const { columns } = io;
  const until = seen.watchedUntil === null ? '' : `, until ${minute(seen.watchedUntil)}`;
  const room = Math.min(HOURS_SHOWN, columns - RING_COLUMNS);
  const longest = Math.min(room, Math.max(0, ...seen.rings.map(({ course }) => course.length)));
  const rings = seen.rings.map(({ ring, share: now, course }) => {
    const bars = course.slice(-room).map((hour) => barOf(hour.share));
    const left = now >= 1 ? 'none' : points(1 - now);
    // The newest hours stand below each other.
    return wrap(
      `${ring.padEnd(8)} ${bars.join('').padStart(longest, NO_HOUR)}| ${alarmText(now)}, ${left} of its budget left`,
      columns,
      '  ',
    );
  });
  const series = seen.series.map((one) =>
    wrap(
      `${placeText(one)}: ${share(one.since)} ${one.words.all} ${one.words.bad}, before ${share(one.before)}; ${alarmText(one.share)}`,
      columns,
      '  ',
    ),
  );
  return [
    io.style('bold', wrap(shown(seen.title), columns)),
    wrap(`${seen.watch}${until}; as of ${minute(seen.at)}`, columns, '  '),
    seen.rollback === null
      ? ''
      : wrap(io.style('yellow', rollbackText(seen.id, seen.rollback)), columns, '  '),
    `\n${io.style('bold', wrap('Evidence by hour, the newest at the right; a full bar is an alarm', columns))}`,
    ...(rings.length === 0 ? [wrap('Nothing can be compared yet.', columns, '  ')] : rings),
    `\n${io.style('bold', 'Nearest to an alarm')}\n`,
    ...series,
    seen.notCompared.length === 0
      ? ''
      : `\n${wrap(`Not compared, because too few calls came before the change: ${seen.notCompared.map(placeText).join(', ')}.`, columns, '  ')}`,
  ].join('');
}

function placeText({ agent, tool }: { readonly agent: string; readonly tool: string }): string {
  return tool === '' ? shown(agent) : `${shown(tool)} by ${shown(agent)}`;
}

/** Evidence grows without end; beyond an alarm it says nothing more. */
const alarmText = (part: number) => (part >= 1 ? 'an alarm' : `${points(part)} of an alarm`);

/** By its logarithm: from a thousandth of an alarm to an alarm. */
function barOf(part: number): string {
  const height = 1 + Math.log10(Math.max(part, 1e-3)) / 3;
  // Only an alarm is a full bar.
  return BAR[part >= 1 ? BAR.length - 1 : Math.floor(height * (BAR.length - 1))]!;
}
