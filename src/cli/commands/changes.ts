/** `hone changes list|show`. */
import { listChanges, showChange } from '../../app/changes.ts';
import type { ChangeList, ChangesListInput, ShownChange } from '../../contracts/change.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { shown } from '../shown.ts';

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
  `Its rollback is proposed since ${minute(since)}: ${shown(why)} Run: hone rollback ${id} --reason "it does harm"`;

export function changesShow(context: Context, given: string): Promise<number> {
  return answer(context, showChange(context, given), (seen) => showText(seen, context.io));
}

function showText(seen: ShownChange, io: Io): string {
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
    ...seen.story.map(({ at, what }) => wrap(`${minute(at)}  ${shown(what)}`, columns, '  ')),
  ].join('');
}

function watchText({ watch, watchedUntil }: ShownChange): string {
  return watch === 'over' || watchedUntil === null
    ? watch
    : `${watch}, until ${minute(watchedUntil)}`;
}

function outcomeText({ outcome, outcomeReason }: ShownChange): string {
  if (outcome === null) return 'not known yet';
  return outcomeReason ? `${outcome}: ${shown(outcomeReason)}` : outcome;
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
const minute = (iso: string) => iso.slice(0, 16).replace('T', ' ');
