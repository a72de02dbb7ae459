/**
 * The policy tests (VAL-1), as a table. Each looks at one file at a time, is pure, and gives a reason
 * with file and line for everything it forbids. One reason fails the change. What a test cannot tell it asks about: the
 * verdict is then inconclusive, so that a named person decides (ADR 098).
 */
import {
  declaredPathAsks,
  forbiddenPathReasons,
  hiddenReasons,
  plainFileReasons,
} from './file-tests.ts';
import { hostReasons } from './host-tests.ts';
import { judgingAsks, judgingReasons } from './judging-names.ts';
import type { PolicyContext } from './policy-context.ts';
import {
  allowlistAsks,
  allowlistReasons,
  endpointReasons,
  privilegeAsks,
  privilegeReasons,
} from './privilege-tests.ts';
import type { CheckResult, TouchedFile } from './types.ts';

type Look = (file: TouchedFile, context: PolicyContext) => readonly string[];

export interface PolicyTest {
  readonly name: string;
  /** The rule of the constitution. */
  readonly rule: number;
  readonly forbids: string;
  /** Why it is forbidden. */
  readonly run: Look;
  /** What only a person can tell. */
  readonly asks?: Look;
  /** It looks at the values of definitions: a lock file defines no agent. */
  readonly ofValues?: true;
  /** Of Hone's own changes alone: people may change what judges changes. */
  readonly ownOnly?: true;
}

export const POLICY_TESTS: readonly PolicyTest[] = [
  {
    name: 'forbidden_paths',
    rule: 6,
    forbids: 'files that no change may touch',
    run: forbiddenPathReasons,
    asks: declaredPathAsks,
  },
  {
    name: 'judging_names',
    rule: 10,
    forbids: 'declared files that gates run, by names that say so',
    run: judgingReasons,
    asks: judgingAsks,
    ownOnly: true,
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
    asks: privilegeAsks,
    ofValues: true,
  },
  {
    name: 'allowlist_growth',
    rule: 8,
    forbids: 'a longer list of what is allowed',
    run: allowlistReasons,
    asks: allowlistAsks,
    ofValues: true,
  },
  {
    name: 'tool_endpoints',
    rule: 8,
    forbids: 'a new address, host or command of a tool',
    run: endpointReasons,
    ofValues: true,
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
    readonly outcome: CheckResult['outcome'];
    readonly reasons: readonly string[];
  }[];
};

export function testPolicies(files: readonly TouchedFile[], context: PolicyContext): PolicyResult {
  const tests = POLICY_TESTS.map(({ name, rule, run, asks }) => {
    const against = files.flatMap((file) => run(file, context));
    const open = files.flatMap((file) => asks?.(file, context) ?? []);
    const outcome = outcomeOf(against.length, open.length);
    return { name, rule, outcome, reasons: bounded([...against, ...open]) };
  });
  const has = (wanted: CheckResult['outcome']) => tests.filter((one) => one.outcome === wanted);
  const [failed, open] = [has('failed'), has('inconclusive')];
  const told = [...failed, ...open].flatMap((test) =>
    test.reasons.map((reason) => `${test.name}: ${reason}`),
  );
  const outcome = outcomeOf(failed.length, open.length);
  const reasons =
    outcome === 'passed' ? [`All ${tests.length} policy tests passed.`] : bounded(told);
  return { outcome, reasons, tests };
}

function outcomeOf(against: number, open: number): CheckResult['outcome'] {
  if (against > 0) return 'failed';
  return open > 0 ? 'inconclusive' : 'passed';
}

function bounded(reasons: readonly string[]): string[] {
  const left = reasons.length - REASONS_MAX;
  const told = reasons.slice(0, REASONS_MAX).map((reason) => reason.toWellFormed());
  return left > 0 ? [...told, `And ${left} more.`] : told;
}
