/**
 * The policy pack on anybody's patch (VAL-7): the same tests that judge Hone's own changes, with a place for each finding, and
 * a look for secrets in what is added. What cannot be read or applied is a finding too: it is never passed over.
 */
import { digestOfBytes } from '../base/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import { secretKinds } from '../sanitise/index.ts';
import { addedLines } from './added-lines.ts';
import { makeCandidate } from './candidate.ts';
import { POLICY_TESTS } from './policy-tests.ts';
import type { TouchedFile } from './types.ts';

interface PolicyFinding {
  readonly rule: string;
  /** Null for what concerns the whole patch. */
  readonly path: string | null;
  readonly line: number | null;
  readonly message: string;
}

export interface CheckedPatch {
  readonly files: number;
  readonly findings: readonly PolicyFinding[];
}

/** People's changes are larger than Hone's own. */
const LIMITS = { bytes: 16 * 1024 * 1024, files: 2000 };
const FINDINGS_MAX = 500;

export async function checkPatch(
  { base, diff }: { readonly base: CommitId; readonly diff: string },
  repository: TargetRepository,
  forbiddenPaths: readonly string[],
): Promise<CheckedPatch> {
  if (diff.trim() === '') return { files: 0, findings: [] };
  const content = { baseCommit: base, diffDigest: digestOfBytes(diff) };
  const made = await makeCandidate(content, { repository, diffText: async () => diff }, LIMITS);
  if (!made.ok)
    return { files: 0, findings: [{ rule: 'diff', path: null, line: null, message: made.why }] };
  const findings = made.files.flatMap((file) => [
    ...policyFindings(file, forbiddenPaths),
    ...secretFindings(file),
  ]);
  return { files: made.files.length, findings: findings.slice(0, FINDINGS_MAX) };
}

function policyFindings(file: TouchedFile, forbiddenPaths: readonly string[]): PolicyFinding[] {
  return POLICY_TESTS.flatMap(({ name, run }) =>
    run(file, forbiddenPaths).map((reason) => {
      const message = reason.toWellFormed();
      const line = /, line (\d{1,9}):/.exec(message)?.[1];
      return {
        rule: name,
        path: file.path,
        line: line === undefined ? null : Number(line),
        message,
      };
    }),
  );
}

/** What stands there is not repeated. */
function secretFindings({ path, patch }: TouchedFile): PolicyFinding[] {
  return addedLines(patch).flatMap(({ text, number }) => {
    const kinds = [...secretKinds(text.slice(0, 4096))].filter((kind) => !PERSONAL.has(kind));
    return kinds.map((kind) => ({
      rule: 'secrets',
      path,
      line: number,
      message: `It adds what looks like a secret (${kind}).`,
    }));
  });
}

/** Not a matter of this check. */
const PERSONAL: ReadonlySet<string> = new Set(['email', 'phone', 'card', 'iban', 'national_id']);
