/** Complete or refused (PROP-2): no part is empty. And the diff is what it declares (rule 6). */
import {
  CATEGORIES,
  PROPOSAL_TYPES,
  type ProposalContent,
  RISKS,
  SEVERITIES,
} from '../facts/index.ts';
import { type FilePatch, shownPath } from '../git/index.ts';
import { judged, quoted } from './check-result.ts';
import type { CheckResult, VetInput } from './types.ts';

/** Longer than anybody reads before deciding. */
const TEXT_UNITS_MAX = 64 * 1024;

/** The parts that people read, with the names they know. */
const PARTS = [
  ['title', 'The title'],
  ['change', 'What is changed'],
  ['rationale', 'The rationale'],
  ['rootCause', 'The root cause'],
  ['riskAndMitigation', 'Risk and mitigation'],
  ['rollback', 'The rollback'],
  ['validationPlan', 'The validation plan'],
] as const satisfies readonly (readonly [keyof ProposalContent, string])[];

const PLACEHOLDER =
  /^(?:tbd|tba|todo|fixme|wip|n\/?a|none|null|nil|undefined|unknown|xxx+|placeholder|same as above|see above|to be (?:added|decided|defined|determined|done|filled|written)|fill (?:in|me)|lorem ipsum|insert .{0,60} here|<[^>]{0,200}>|\[[^\]]{0,200}\]|\{\{[^}]{0,200}\}\})[\s.!:…]*$/i;

/** The texts of a proposal, with the name each is shown under. */
export function textsOf(content: ProposalContent): readonly (readonly [string, string])[] {
  return PARTS.map(([key, name]) => [name, textOf(content, key).slice(0, TEXT_UNITS_MAX)] as const);
}

/** A change's names and values as they are: the compared form has no hidden characters. */
function textOf(content: ProposalContent, key: (typeof PARTS)[number][0]): string {
  if (key !== 'change') return content[key];
  const { kind: _, ...named } = content.change;
  return Object.values(named).flat().join(' ');
}

export function isEmptyTalk(text: string): boolean {
  // Blank to a reader, even if it consists of invisible characters.
  const seen = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  return !/\p{L}/u.test(seen) || PLACEHOLDER.test(seen.slice(0, 400));
}

export function checkComplete({ content }: VetInput): CheckResult {
  const reasons: string[] = [];
  for (const [key, name] of PARTS) {
    const text = textOf(content, key);
    if (isEmptyTalk(text)) reasons.push(`${name} is missing or only a placeholder.`);
    else if (text.length > TEXT_UNITS_MAX)
      reasons.push(`${name} is longer than ${TEXT_UNITS_MAX} characters.`);
  }
  if (content.evidence.length === 0) reasons.push('It cites no evidence.');
  return judged('failed', reasons, 'All parts are there.');
}

export function checkDeclared({ content, diff }: VetInput): CheckResult {
  const reasons = diff.ok
    ? declaredFilesProblems(content.files, diff.files)
    : [`The diff cannot be read: ${diff.why}.`];
  return judged('failed', reasons, 'The diff touches the declared files.');
}

function declaredFilesProblems(
  declared: readonly string[],
  patches: readonly FilePatch[],
): string[] {
  const [named, touched] = [new Set(declared), new Set(patches.map(({ path }) => path))];
  return [
    ...(named.size < declared.length ? ['A file is declared twice.'] : []),
    ...[...touched.difference(named)].map(
      (path) => `The diff touches ${shownPath(path)}, which is not declared.`,
    ),
    ...[...named.difference(touched)].map(
      (path) => `${shownPath(path)} is declared, but the diff does not touch it.`,
    ),
  ];
}

/**
 * Exactly one known type, and the diff fits it: a constant_tune changes numbers and nothing else,
 * because it is the one type that may be approved without a person.
 */
export function checkType({ content, diff }: VetInput): CheckResult {
  const words = [
    ['type', content.type, PROPOSAL_TYPES],
    ['category', content.category, CATEGORIES],
    ['severity', content.severity, SEVERITIES],
    ['risk', content.risk, RISKS],
  ] as const;
  const unknown = words
    .filter(([, word, known]) => !(known as readonly string[]).includes(word))
    .map(([name, word]) => `${quoted(String(word))} is not a known ${name}.`);
  if (unknown.length > 0) return judged('failed', unknown, '');
  if (content.type !== 'constant_tune' || !diff.ok)
    return judged('failed', [], `The type ${content.type} is known.`);
  const reasons = diff.files
    .filter((file) => !changesNumbersOnly(file))
    .map(
      ({ path }) => `It says constant_tune, but in ${shownPath(path)} more than numbers changes.`,
    );
  return judged('held', reasons, 'It changes numbers only, as a constant_tune does.');
}

/** A number of its own, with or without units (`30s`, `1h30m`, `PT6S`): the 4 of `gpt-4` and of `10.0.0.4` is not one. */
const NUMBER =
  /(?<![\w.][-+]?)(?:PT(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?(?!\w)|(?:\d{1,9}(?:ms|[dhms])){2,5}(?!\w)|\d[\d_]*(?:\.\d+)?)/g;

/** Hunk by hunk, the removed and the added lines differ only in their numbers. */
function changesNumbersOnly(file: FilePatch): boolean {
  if (file.action !== 'change' || file.hunks.length === 0) return false;
  return file.hunks.every(({ lines }) => {
    const side = (wanted: '+' | '-') =>
      lines
        .filter(([sign]) => sign === wanted)
        .map(([, text]) => text.replace(NUMBER, withoutAmounts))
        .join('');
    return side('-') === side('+');
  });
}

/** Units stay: `1h30m` and `1d30m` differ by more than numbers. */
function withoutAmounts(number: string): string {
  return number.replace(/\d[\d_]*(?:\.\d+)?/g, '0');
}

/** Enhancements come from people (PROP-1): Hone fixes, it does not invent. */
export function checkCategory({ content }: VetInput): CheckResult {
  const forbidden = content.category === 'enhancement' && content.proposer.kind !== 'human';
  const reasons = forbidden
    ? [`An enhancement is a person's idea; this one comes from ${quoted(content.proposer.id)}.`]
    : [];
  return judged('failed', reasons, `The category ${content.category} is open to its proposer.`);
}
