/**
 * The policy tests (VAL-1), as a table. Each looks at one file at a time, is pure, and gives a reason
 * with file and line for everything it forbids. One reason fails the change.
 */
import { forbiddenPathReasons, hiddenReasons, plainFileReasons } from './file-tests.ts';
import { hostReasons } from './host-tests.ts';
import { allowlistReasons, endpointReasons, privilegeReasons } from './privilege-tests.ts';
import type { CheckResult, TouchedFile } from './types.ts';

export interface PolicyTest {
  readonly name: string;
  /** The rule of the constitution. */
  readonly rule: number;
  readonly forbids: string;
  readonly run: (file: TouchedFile, forbiddenPaths: readonly string[]) => readonly string[];
}

export const POLICY_TESTS: readonly PolicyTest[] = [
  {
    name: 'forbidden_paths',
    rule: 6,
    forbids: 'files that no change may touch',
    run: forbiddenPathReasons,
  },
  {
    name: 'plain_files',
    rule: 6,
    forbids: 'links, submodules, binaries, new executables and changed modes',
    run: plainFileReasons,
  },
  {
    name: 'hidden_characters',
    rule: 6,
    forbids: 'what a reader does not see, or sees as something else',
    run: hiddenReasons,
  },
  {
    name: 'privilege',
    rule: 8,
    forbids: 'another tool, permission, scope or role, or one restriction less',
    run: privilegeReasons,
  },
  {
    name: 'allowlist_growth',
    rule: 8,
    forbids: 'a longer list of what is allowed',
    run: allowlistReasons,
  },
  {
    name: 'tool_endpoints',
    rule: 8,
    forbids: 'a new address, host or command of a tool',
    run: endpointReasons,
  },
  {
    name: 'external_hosts',
    rule: 8,
    forbids: 'an external host that the file did not name before',
    run: hostReasons,
  },
];

const REASONS_MAX = 20;

export type PolicyResult = CheckResult & {
  readonly tests: readonly {
    readonly name: string;
    readonly rule: number;
    readonly outcome: 'passed' | 'failed';
    readonly reasons: readonly string[];
  }[];
};

export function testPolicies(
  files: readonly TouchedFile[],
  forbiddenPaths: readonly string[],
): PolicyResult {
  const tests = POLICY_TESTS.map(({ name, rule, run }) => {
    const reasons = files.flatMap((file) => run(file, forbiddenPaths));
    const outcome = reasons.length === 0 ? ('passed' as const) : ('failed' as const);
    return { name, rule, outcome, reasons: bounded(reasons) };
  });
  const failed = tests.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0)
    return {
      outcome: 'passed',
      reasons: [`All ${tests.length} policy tests passed.`],
      tests,
    };
  const reasons = failed.flatMap((test) => test.reasons.map((reason) => `${test.name}: ${reason}`));
  return { outcome: 'failed', reasons: bounded(reasons), tests };
}

function bounded(reasons: readonly string[]): string[] {
  const left = reasons.length - REASONS_MAX;
  const told = reasons.slice(0, REASONS_MAX).map((reason) => reason.toWellFormed());
  return left > 0 ? [...told, `And ${left} more.`] : told;
}
