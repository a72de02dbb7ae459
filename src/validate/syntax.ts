/**
 * The syntax of each touched file as it would be (VAL-2). A type without a checker here is
 * inconclusive, never passed, and the reason says what was checked.
 */
import { shownPath } from '../git/index.ts';
import { extensionOf } from './candidate.ts';
import type { CheckResult, TouchedFile } from './types.ts';

/** Text for people: nothing about it can be wrong but its encoding. */
const PLAIN_TEXT = new Set(['md', 'markdown', 'txt']);

export type FileVerdict = Pick<CheckResult, 'outcome'> & { readonly reason: string };

/** With what others say: of files that are theirs alone, and of files that are read here too. */
export function checkSyntax(
  files: readonly TouchedFile[],
  { own = new Map(), beside = [] }: OtherChecks = {},
): CheckResult {
  const verdicts = [...files.map((file) => own.get(file.path) ?? checkFile(file)), ...beside];
  const worst = (['failed', 'inconclusive'] as const).find((outcome) =>
    verdicts.some((verdict) => verdict.outcome === outcome),
  );
  const outcome = worst ?? 'passed';
  const told = verdicts.filter((verdict) => verdict.outcome === outcome);
  return { outcome, reasons: told.map(({ reason }) => reason.toWellFormed()) };
}

interface OtherChecks {
  /** By path. */
  readonly own?: ReadonlyMap<string, FileVerdict>;
  readonly beside?: readonly FileVerdict[];
}

function checkFile({ path, before, after }: TouchedFile): FileVerdict {
  const name = shownPath(path);
  if (after === undefined) return { outcome: 'passed', reason: `${name} is removed.` };
  if (after.text === undefined) return { outcome: 'failed', reason: `${name} is not UTF-8 text.` };
  const { structure } = after;
  if (structure?.ok === false) {
    const reason = `${name}, line ${structure.line}: ${structure.why}.`;
    // The target's own reader takes what it had: then it may be Hone's that does not know it.
    if (before?.structure?.ok !== false) return { outcome: 'failed', reason };
    return { outcome: 'inconclusive', reason: `${reason} It could not be read before either.` };
  }
  const [tagLine] = structure?.tagLines ?? [];
  if (tagLine !== undefined) {
    const reason = `${name}, line ${tagLine}: it has a tag whose meaning is not known here.`;
    return { outcome: 'inconclusive', reason };
  }
  const extension = extensionOf(path);
  if (PLAIN_TEXT.has(extension)) {
    const also = structure === undefined ? '' : ' and that its front matter parses';
    return { outcome: 'passed', reason: `${name}: only that it is UTF-8${also} was checked.` };
  }
  if (structure !== undefined)
    return { outcome: 'passed', reason: `${name} parses, and its keys are unique.` };
  const kind = extension === '' ? 'files without an extension' : `.${extension} files`;
  return { outcome: 'inconclusive', reason: `${name}: there is no checker for ${kind} here.` };
}
