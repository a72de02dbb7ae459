/**
 * The policy pack on anybody's patch (VAL-7): the same tests that judge Hone's own changes, with a place for each finding,
 * and what only a whole patch shows: its size, tests for the source that it changes, licences, and secrets in what is
 * added. What cannot be read or applied is a finding too: it is never passed over.
 */
import { digestOfBytes } from '../base/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import { secretKinds } from '../sanitise/index.ts';
import { addedLines } from './added-lines.ts';
import { makeCandidate } from './candidate.ts';
import { readNames } from './known-names.ts';
import { licenceFindings } from './licences.ts';
import { type PatchFinding, refused, warned } from './patch-finding.ts';
import { capFindings, isWrittenByTools, type PatchCaps, testFindings } from './patch-rules.ts';
import { type PolicyContext, policyContext } from './policy-context.ts';
import { POLICY_TESTS } from './policy-tests.ts';
import { isUnclear } from './read-context.ts';
import type { TouchedFile } from './types.ts';

/** What a team asks of patches. */
export interface PatchRules {
  readonly forbiddenPaths: readonly string[];
  readonly agentFiles: readonly string[];
  readonly caps: PatchCaps;
  /** Patterns of source that does not change without a test. */
  readonly testsFor: readonly string[];
  /** Licences that dependencies may have. */
  readonly licences: readonly string[];
}

export interface CheckedPatch {
  readonly files: number;
  readonly findings: readonly PatchFinding[];
}

/** People's changes are larger than Hone's own. */
const LIMITS = { bytes: 16 * 1024 * 1024, files: 2000 };
const FINDINGS_MAX = 500;

export async function checkPatch(
  { base, diff }: { readonly base: CommitId; readonly diff: string },
  repository: TargetRepository,
  rules: PatchRules,
): Promise<CheckedPatch> {
  if (diff.trim() === '') return { files: 0, findings: [] };
  const content = { baseCommit: base, diffDigest: digestOfBytes(diff) };
  const made = await makeCandidate(content, { repository, diffText: async () => diff }, LIMITS);
  if (!made.ok)
    return {
      files: 0,
      findings: [refused({ rule: 'diff', path: null, line: null }, made.why)],
    };
  const { files } = made;
  const { forbiddenPaths, agentFiles, caps, testsFor, licences } = rules;
  const known = policyContext({ forbiddenPaths, agentFiles });
  const touched = files.map(({ path }) => path);
  const context = isUnclear(files, known)
    ? {
        ...known,
        names: await readNames({ repository, base, agentFiles, touched }, async () => []),
      }
    : known;
  const findings = [
    ...capFindings(files, caps),
    ...testFindings(files, testsFor),
    ...licenceFindings(files, licences),
    ...files.flatMap((file) => [...policyFindings(file, context), ...secretFindings(file)]),
  ];
  // What refuses comes first: it is never among what is left out.
  const ordered = findings.toSorted((one, other) =>
    one.level < other.level ? -1 : one.level > other.level ? 1 : 0,
  );
  return { files: files.length, findings: ordered.slice(0, FINDINGS_MAX) };
}

function policyFindings(file: TouchedFile, context: PolicyContext): PatchFinding[] {
  const place = (rule: string, message: string) => {
    const line = /, line (\d{1,9}):/.exec(message)?.[1];
    return { rule, path: file.path, line: line === undefined ? null : Number(line) };
  };
  const isTools = isWrittenByTools(file.path);
  const tests = POLICY_TESTS.filter(
    ({ ownOnly, ofValues }) => ownOnly !== true && !(ofValues === true && isTools),
  );
  return tests.flatMap(({ name, run, asks }) => [
    ...run(file, context).map((one) => refused(place(name, one), one.toWellFormed())),
    ...(asks?.(file, context) ?? []).map((one) => warned(place(name, one), one.toWellFormed())),
  ]);
}

/** What stands there is not repeated. */
function secretFindings({ path, patch }: TouchedFile): PatchFinding[] {
  return addedLines(patch).flatMap(({ text, number }) => {
    const kinds = [...secretKinds(text.slice(0, 4096))].filter((kind) => !PERSONAL.has(kind));
    return kinds.map((kind) =>
      refused(
        { rule: 'secrets', path, line: number },
        `It adds what looks like a secret (${kind}).`,
      ),
    );
  });
}

/** Not a matter of this check. */
const PERSONAL: ReadonlySet<string> = new Set(['email', 'phone', 'card', 'iban', 'national_id']);
