/** `hone patterns list|show|merge|ignore|forget` and `hone diagnose`. */
import {
  forgetPattern,
  ignorePattern,
  listPatterns,
  mergePattern,
  showDiagnosis,
  showPattern,
} from '../../app/patterns.ts';
import type {
  PatternMergeInput,
  PatternsListInput,
  PatternWishInput,
  ShownPattern,
} from '../../contracts/pattern.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { shown, shownProse } from '../shown.ts';

export function patternsList(context: Context, options: PatternsListInput): Promise<number> {
  const { io } = context;
  return answer(context, listPatterns(context, options), ({ patterns }) =>
    patterns.length === 0
      ? wrap('No patterns. "hone cycle" looks for failures that recur.', io.columns)
      : table(
          {
            head: ['ID', 'STATUS', 'TITLE'],
            rows: patterns.map(({ id, status, title }) => [id, status, shown(title)]),
            isLastProse: true,
            notes: patterns.map(({ why }) => io.style('dim', shownProse(why))),
          },
          io.columns,
        ),
  );
}

export function patternsShow(context: Context, given: string): Promise<number> {
  const { io } = context;
  return answer(context, showPattern(context, given), (seen) => {
    const { id, status, why, layer, trigger, firstSeenAt, lastSeenAt, proposals } = seen;
    return [
      io.style('bold', wrap(shown(seen.title), io.columns)),
      fields(
        [
          ['id', id],
          ['status', `${status}: ${shownProse(why)}`],
          ['layer', `${layer}, ${percent(seen.confidence)} sure`],
          ['layers', layersText(seen.layers)],
          ...(seen.origin === null ? [] : [['goes wrong', originText(seen.origin)] as const]),
          ...(trigger === null ? [] : [['began by', trigger] as const]),
          ['seen', `${seen.occurrences} of ${seen.calls}, ${firstSeenAt} to ${lastSeenAt}`],
          ['events', `hone events list --pattern ${id}`],
          ...(proposals.length === 0 ? [] : [['changes', proposals.join(', ')] as const]),
        ],
        io.columns,
      ),
      causesText(seen, io),
    ].join('');
  });
}

/** `settings 93 % (3 for, 1 against); no evidence for output, skill` */
function layersText(layers: ShownPattern['layers']): string {
  const shares = layers
    .filter((one) => one.for > 0)
    .map((one) => {
      const against = one.against === 0 ? '' : `, ${one.against} against`;
      return `${one.layer} ${percent(one.confidence)} (${one.for} for${against})`;
    });
  const none = layers.filter((one) => one.for === 0).map(({ layer }) => layer);
  const without = none.length === 0 ? [] : [`no evidence for ${none.join(', ')}`];
  return [...(shares.length === 0 ? [] : [shares.join(', ')]), ...without].join('; ');
}

/** `at web_search of researcher in 8 of 10 sessions: the first failure that was not made good` */
function originText({ agent, step, reason, sessions, of }: NonNullable<ShownPattern['origin']>) {
  const place = [step, agent].filter((name) => name !== '').map((name) => shown(name));
  return `at ${place.join(' of ')} in ${sessions} of ${of} sessions: ${reason}`;
}

export function patternsIgnore(
  context: Context,
  given: string,
  input: PatternWishInput,
): Promise<number> {
  return answer(context, ignorePattern(context, given, input), ({ id }) =>
    wrap(
      `${id} is ignored from now on. "hone patterns forget ${id}" lifts it.`,
      context.io.columns,
    ),
  );
}

export function patternsMerge(
  context: Context,
  given: string,
  input: PatternMergeInput,
): Promise<number> {
  return answer(context, mergePattern(context, given, input), ({ id, into }) =>
    wrap(
      `${id} counts for ${into} from now on. "hone patterns forget ${into}" lifts it.`,
      context.io.columns,
    ),
  );
}

export function patternsForget(
  context: Context,
  given: string,
  input: PatternWishInput,
): Promise<number> {
  return answer(context, forgetPattern(context, given, input), ({ id }) =>
    wrap(`${id} is forgotten; found again, it is new.`, context.io.columns),
  );
}

export function diagnose(context: Context): Promise<number> {
  const { io } = context;
  return answer(context, showDiagnosis(context), ({ summary, patterns, passedOver, notes }) =>
    [
      wrap(`Of the telemetry that was read: ${summary}.`, io.columns),
      ...patterns.flatMap((one) => [
        `\n${io.style('bold', wrap(shown(one.title), io.columns))}`,
        wrap(`${one.layer}, ${percent(one.confidence)} sure (${one.id})`, io.columns, '  '),
        ...(one.wait === null ? [] : [wrap(shown(one.wait), io.columns, '  ')]),
        causesText(one, io),
      ]),
      ...(passedOver.length === 0 ? [] : [`\n${io.style('bold', 'Passed over')}\n`]),
      ...passedOver.map(({ title, why }) =>
        wrap(`${shown(title)}: ${shownProse(why)}`, io.columns, '  '),
      ),
      ...notes.map((note) => wrap(shown(note), io.columns)),
    ].join(''),
  );
}

/** What speaks for and against each cause, and what would settle it. */
function causesText(
  { considered, reasons, settledBy }: Pick<ShownPattern, 'considered' | 'reasons' | 'settledBy'>,
  io: Io,
): string {
  const line = (mark: string, text: string) =>
    wrap(`${mark} ${shownProse(text)}`, io.columns, '    ');
  const causes = considered.flatMap((one) => [
    wrap(`${shown(one.what)}, ${percent(one.confidence)}`, io.columns, '  '),
    ...one.for.map((text) => line('+', text)),
    ...one.against.map((text) => line('-', text)),
  ]);
  const because = reasons.map((text) => wrap(shownProse(text), io.columns, '  '));
  return [
    ...(causes.length === 0 ? [] : [`${io.style('bold', 'Considered')}\n`, ...causes]),
    ...(because.length === 0 ? [] : [`${io.style('bold', 'Why')}\n`, ...because]),
    ...(settledBy === null
      ? []
      : [
          `${io.style('bold', 'What would settle it')}\n`,
          wrap(shown(settledBy), io.columns, '  '),
        ]),
  ].join('');
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
