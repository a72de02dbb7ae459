/**
 * Lists that say what a tool is called with, whatever their key says (rule 8). `args` may be what a command is given, which reaches other
 * things when it changes, or the names of a call's arguments, which do not. Telemetry tells: the list of a tool names exactly what refused
 * calls of it were made with, some names stay, and what replaces the others are ones that the tool takes. Beside a command it is
 * a command's, whatever telemetry says.
 */
import type { RecentCall } from '../facts/index.ts';
import type { KeyTest } from './restrictions.ts';
import { isItem, type StructureChanges, type ValueChange, wordsOf } from './structure-changes.ts';

/** What refused calls of one tool were made with, and what that tool takes. */
export interface GivenArguments {
  readonly tool: string;
  readonly given: ReadonlySet<string>;
  readonly taken: ReadonlySet<string>;
}

/** One call may be refused for anything. */
const REFUSED_MIN = 3;
/** No option, path or package. */
const NAME = /^[A-Za-z_]\w{0,80}$/;
const RUNS = new Set(
  'bin binary cmd command entrypoint exec executable image package program run script server shell'.split(
    ' ',
  ),
);

export function givenArguments(calls: readonly RecentCall[]): GivenArguments[] {
  return [...Map.groupBy(calls, ({ tool }) => tool)].flatMap(([tool, own]) => {
    const taken = new Set([
      ...(own.findLast(({ parameterNames = [] }) => parameterNames.length > 0)?.parameterNames ??
        []),
      ...own.flatMap(({ failedWith, argumentNames = [] }) =>
        failedWith === null ? argumentNames : [],
      ),
    ]);
    const refused = own.filter(
      ({ failedWith, argumentNames = [] }) => failedWith !== null && argumentNames.length > 0,
    );
    const alike = Map.groupBy(refused, ({ argumentNames = [] }) => argumentNames.toSorted().join());
    return [...alike.values()]
      .filter((some) => some.length >= REFUSED_MIN)
      .map(([one]) => ({ tool, given: new Set(one!.argumentNames), taken }));
  });
}

/** Whether a change takes a name from a list and puts another there, so that only telemetry can tell what the list is. */
export function replacesName({ kind, path }: ValueChange): boolean {
  return kind === 'added' && path.length > 1 && isItem(path.at(-1)!) && !isItem(path.at(-2)!);
}

/** `ARGS = [q, lang]` becomes `[q, locale]`, where calls with `q` and `lang` are refused by a tool that takes `locale`. */
export function correctsArguments(
  change: ValueChange,
  { changes, keysBefore }: StructureChanges & { readonly ok: true },
  lists: readonly GivenArguments[],
  isTelling: KeyTest,
): boolean {
  if (!replacesName(change)) return false;
  const list = change.path.slice(0, -1);
  const before = keysBefore(list);
  if (!before.every(isItem) || isBesideCommand(list, keysBefore)) return false;
  const names = before.map((item) => item.slice(2));
  const changed = (kind: ValueChange['kind']) =>
    changes
      .filter((one) => one.kind === kind && one.path.length === change.path.length)
      .filter(({ path }) => list.every((step, at) => path[at] === step))
      .map(({ path }) => path.at(-1)!.slice(2));
  const [gone, come] = [changed('removed'), changed('added')];
  const arePlain = [...names, ...come].every(
    (name) =>
      NAME.test(name) && !isTelling(wordsOf(name)) && !wordsOf(name).some((word) => RUNS.has(word)),
  );
  if (!arePlain || gone.length !== come.length || gone.length >= names.length) return false;
  return lists.some(
    ({ tool, given, taken }) =>
      list.some((step) => isOf(step, tool)) &&
      given.symmetricDifference(new Set(names)).size === 0 &&
      come.every((name) => taken.has(name)),
  );
}

/** `web_search`, or `SCOUT_WEB_SEARCH_ARGS` where nothing is nested. */
function isOf(step: string, tool: string): boolean {
  const [words, own] = [wordsOf(isItem(step) ? step.slice(2) : step), wordsOf(tool)];
  return own.length > 0 && `_${words.join('_')}_`.includes(`_${own.join('_')}_`);
}

/** Whether anything on the way to the list has a key of what is run. */
function isBesideCommand(
  list: readonly string[],
  keysBefore: (path: readonly string[]) => readonly string[],
): boolean {
  return list.some((_, depth) =>
    keysBefore(list.slice(0, depth)).some(
      (key) => !isItem(key) && RUNS.has(wordsOf(key).at(-1) ?? ''),
    ),
  );
}
