/** Makes problems, orders them and writes them out: the one place for their words. */

import type { Path } from './schema-walk.ts';
import { shownKey } from './secrets.ts';
import type { Problem, ProblemCode } from './types.ts';

/** More than this helps nobody, and a hostile file could make hundreds of thousands. */
const PROBLEMS_MAX = 200;

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Finding {
  readonly code: ProblemCode;
  readonly place: Place;
  readonly path: Path;
  readonly expected: string;
  readonly found: string;
  /** A sentence on what to do, or why. */
  readonly advice?: string | undefined;
}

export function problem(file: string, finding: Finding): Problem {
  const key = keyText(finding.path);
  const about = key === '' ? '' : `${key}: `;
  const message = `${about}expected ${finding.expected}, but found ${finding.found}.`;
  return {
    code: finding.code,
    file,
    line: finding.place.line,
    column: finding.place.column,
    key,
    expected: finding.expected,
    found: finding.found,
    message: finding.advice === undefined ? message : `${message} ${finding.advice}`,
  };
}

/** `identity.agents[0].name` */
export function keyText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? shownKey(step) : `${text}.${shownKey(step)}`;
  }, '');
}

/** In the order of the file, and no more than somebody can read. */
export function ordered(problems: readonly Problem[]): readonly Problem[] {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const last = sorted[PROBLEMS_MAX - 1];
  if (last === undefined || sorted.length === PROBLEMS_MAX) return sorted;
  const left = sorted.length - PROBLEMS_MAX + 1;
  const expected = `at most ${PROBLEMS_MAX} problems`;
  const found = `${left} more from here on`;
  const rest = problem(last.file, { code: 'too_large', place: last, path: [], expected, found });
  return [...sorted.slice(0, PROBLEMS_MAX - 1), rest];
}

/** `hone.yaml:12:8: lease.ttl: expected …`, one line each. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    .join('\n');
}
