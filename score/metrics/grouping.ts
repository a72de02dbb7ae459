/**
 * How well predicted groups and templates agree with labelled ones. Pure; checked by hand-made
 * cases in `grouping.test.ts`.
 *
 * GA (Zhu et al. 2019): share of lines whose predicted group has exactly the lines of its true one.
 * FGA, FTA (Jiang et al. 2024): F1 over groups; a group counts for FGA when it is exactly a true
 * one, for FTA when its template is right as well. PA (Dai et al. 2020): share of lines whose
 * template is right, whatever their group.
 *
 * Templates are compared after the part of Khan et al.'s (2022) correction rules that changes
 * notation only, on both sides: DS (white space made one space), WV (what is glued to a variable
 * without a delimiter belongs to it), DV (`<*>.<*>`) and CV (`<*><*>`) made one. `<*> <*>` and
 * `<*>:<*>` stay apart, and no literal becomes a variable.
 */

export interface Labelled {
  readonly group: string;
  readonly template: string;
}

export interface GroupingScores {
  readonly ga: number;
  readonly fga: number;
  readonly pa: number;
  readonly fta: number;
  readonly groups: number;
  readonly trueGroups: number;
}

export function scoreGrouping(
  truth: readonly Labelled[],
  predicted: readonly Labelled[],
): GroupingScores {
  if (truth.length !== predicted.length) throw new RangeError('one prediction per line is needed');
  const trueLines = linesByGroup(truth);
  const predictedLines = linesByGroup(predicted);
  let rightLines = 0;
  let rightGroups = 0;
  let rightTemplates = 0;
  for (const lines of predictedLines.values()) {
    const first = truth[lines[0]!]!;
    const pure = lines.every((line) => truth[line]!.group === first.group);
    if (!pure || trueLines.get(first.group)!.length !== lines.length) continue;
    rightLines += lines.length;
    rightGroups++;
    if (sameTemplate(predicted[lines[0]!]!.template, first.template)) rightTemplates++;
  }
  const rightTexts = truth.filter((line, i) => sameTemplate(line.template, predicted[i]!.template));
  return {
    ga: share(rightLines, truth.length),
    fga: f1(rightGroups, predictedLines.size, trueLines.size),
    pa: share(rightTexts.length, truth.length),
    fta: f1(rightTemplates, predictedLines.size, trueLines.size),
    groups: predictedLines.size,
    trueGroups: trueLines.size,
  };
}

/** Hubert and Arabie's adjusted Rand index: 1 for the same partition, about 0 for an unrelated one. */
export function adjustedRandIndex(left: readonly string[], right: readonly string[]): number {
  if (left.length !== right.length) throw new RangeError('both partitions need the same items');
  const both = sumOfPairs(left.map((group, i) => `${group}\u0000${right[i]!}`));
  const a = sumOfPairs(left);
  const b = sumOfPairs(right);
  const all = pairs(left.length);
  const expected = all === 0 ? 0 : (a * b) / all;
  const most = (a + b) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

/** Characters that end a word for rule WV; `/`, `_`, `<` and `>` do not. */
const DELIMITERS = /([\s,!;:=|"'[\](){}.\-+@#$%&])/;

export function normaliseTemplate(template: string): string {
  const words = template.trim().replace(/\s+/g, ' ').split(DELIMITERS);
  let text = words
    .map((word) => (word.includes('<*>') && !word.includes('/') ? '<*>' : word))
    .join('');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll('<*>.<*>', '<*>').replaceAll('<*><*>', '<*>');
  }
  return text;
}

const normalised = new Map<string, string>();

function sameTemplate(left: string, right: string): boolean {
  return cached(left) === cached(right);
}

function cached(template: string): string {
  const known = normalised.get(template);
  if (known !== undefined) return known;
  const made = normaliseTemplate(template);
  normalised.set(template, made);
  return made;
}

function linesByGroup(items: readonly Labelled[]): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  items.forEach((item, i) => {
    const known = lines.get(item.group);
    if (known === undefined) lines.set(item.group, [i]);
    else known.push(i);
  });
  return lines;
}

function sumOfPairs(groups: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  let sum = 0;
  for (const size of sizes.values()) sum += pairs(size);
  return sum;
}

function pairs(count: number): number {
  return (count * (count - 1)) / 2;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function f1(right: number, predicted: number, real: number): number {
  return right === 0 ? (predicted + real === 0 ? 1 : 0) : (2 * right) / (predicted + real);
}
