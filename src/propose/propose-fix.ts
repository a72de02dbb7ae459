/**
 * From a pattern to a proposal: a number in one file, changed on top of the target's head, as a diff that
 * is proven to apply. What cannot be proposed is declined in plain words. Nothing of the target is
 * moved: the commit that the diff is made from hangs on no ref.
 */
import { makeArtifact } from '../artifact/index.ts';
import type { Pattern, SettingRef } from '../facts/index.ts';
import { GitError } from '../git/index.ts';
import { changeKey, contentOf, isSamePlace } from './content.ts';
import { scoreProposal } from './score-proposal.ts';
import { neededOccurrences, tuneConstant } from './tune-constant.ts';
import type { Answer, ProposePorts, Tuning } from './types.ts';
import { count, percent, shown } from './wording.ts';
import { findNumber, type PlainNumber, replaceNumber } from './yaml-edit.ts';

const FILE_BYTES_MAX = 1024 * 1024;

export async function proposeFix(pattern: Pattern, ports: ProposePorts): Promise<Answer> {
  const { setting } = pattern;
  const doubt = doubtOf(pattern, ports);
  if (doubt !== undefined || setting === null)
    return { declined: doubt ?? 'No setting was found.' };
  const tuned = tuneConstant(pattern);
  if ('declined' in tuned) return tuned;
  const { tuning } = tuned;
  const change = changeKey(setting, tuning.value);
  const refusal = refusalOf(pattern, tuning, change, ports);
  if (refusal !== undefined) return { declined: refusal };
  const edited = await editFile(setting, tuning, ports);
  if ('declined' in edited) return edited;
  const made = await makeDiff(setting.file, edited.text, ports);
  if ('declined' in made) return made;

  const diff = makeArtifact(made.diff, 'text/x-diff');
  const content = contentOf({
    pattern,
    setting: { ...setting, line: edited.number.line },
    tuning,
    change,
    aliases: edited.number.aliases,
    diff: diff.digest,
    baseCommit: ports.head,
    proposer: ports.proposer,
  });
  const score = scoreProposal({
    impact: pattern.impact,
    confidence: pattern.confidence,
    risk: content.risk,
    complexity: 1,
    proven: ports.provenChanges?.includes(change) ?? false,
  });
  return { proposed: { content, diff, score } };
}

function doubtOf(pattern: Pattern, { minConfidence }: ProposePorts): string | undefined {
  const { setting, layer, confidence } = pattern;
  const sure = `${percent(confidence)} sure`;
  if (setting === null)
    return `No setting was found that causes it; it seems to begin in the ${layer} layer (${sure}).`;
  if (confidence < minConfidence)
    return `The cause is ${sure}, and ${percent(minConfidence)} is needed.`;
  return undefined;
}

function refusalOf(
  pattern: Pattern,
  { factor }: Tuning,
  change: string,
  { closedChanges, openChanges }: ProposePorts,
): string | undefined {
  const closed = closedChanges.find((one) => one.change === change);
  if (closed !== undefined) return `${closed.why} (${change})`;
  // Also one in the other direction: two open changes of one value cannot both be judged.
  const open = openChanges.find((one) => isSamePlace(one, change));
  if (open !== undefined) return `A change of the same value is open or watched: ${open}.`;
  const needed = neededOccurrences(factor);
  if (pattern.occurrences >= needed) return undefined;
  const size = Number(factor.toFixed(2));
  return `A change by ${size} times needs ${count(needed)} failures, and there are ${count(pattern.occurrences)}.`;
}

async function editFile(
  setting: SettingRef,
  { value }: Tuning,
  { repository, head }: ProposePorts,
): Promise<
  { readonly text: string; readonly number: PlainNumber } | { readonly declined: string }
> {
  const where = `${shown(setting.file)}, line ${setting.line}`;
  const moved = {
    declined: `The target's head no longer has ${setting.value} at ${shown(setting.path.join('.'))} (${where}).`,
  };
  const bytes = await repository.readFile(head, setting.file);
  if (bytes === undefined) return moved;
  if (bytes.length > FILE_BYTES_MAX)
    return { declined: `The file of ${where} is larger than ${FILE_BYTES_MAX} bytes.` };
  const text = textOf(bytes);
  const number = text === undefined ? undefined : findNumber(text, setting);
  if (text === undefined || number === undefined) return moved;
  const next = replaceNumber(text, number, value);
  if (next !== undefined) return { text: next, number };
  return { declined: `The number cannot be changed without changing something else (${where}).` };
}

/** A byte order mark is kept: it is one of the bytes that stay. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function makeDiff(
  path: string,
  text: string,
  { repository, head, author, nowMs }: ProposePorts,
): Promise<{ readonly diff: string } | { readonly declined: string }> {
  try {
    const tree = await repository.writeFiles(head, [{ path, content: Buffer.from(text) }]);
    const commit = await repository.commit({
      tree,
      parents: [head],
      message: 'proposed\n',
      author: { ...author, atMs: nowMs },
    });
    const diff = await repository.diff(head, commit);
    const applied = await repository.applyPatch(head, diff);
    if (applied.ok && applied.tree === tree) return { diff };
    const why = applied.ok ? 'it gives other files' : applied.why;
    return { declined: `The change cannot be written as a diff: ${shown(why)}.` };
  } catch (error) {
    // A name that git would not write; anything else is a fault.
    const expected = ['bad_path', 'bad_change', 'too_large'];
    if (!(error instanceof GitError) || !expected.includes(error.code)) throw error;
    return { declined: `The file cannot be changed: ${shown(error.message)}` };
  }
}
