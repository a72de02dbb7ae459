/** What Hone states as the causes of failures, how sure it is, and whether the scenario says the same. */
import { listPatterns, readPattern } from '../src/diagnose/index.ts';
import { expectationsOf, rightPlaces, triedPlaces, wantedRates } from './expected.ts';
import type { LabInstallation } from './installation.ts';
import type { Place, TargetFiles } from './places.ts';
import type { Scenario } from './scenario.ts';
import { isWithin } from './touched.ts';

export interface StatedCause {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Of a pattern, as far as it is judged. */
interface Stated {
  readonly agent: string;
  readonly confidence: number;
  readonly subject:
    | { readonly kind: 'unknown' | 'service' }
    | { readonly kind: string; readonly file: string | null; readonly line: number | null };
}

const PATTERNS_MAX = 1000;

export async function statedCauses(
  lab: LabInstallation,
  scenario: Scenario,
): Promise<StatedCause[]> {
  const opened = await lab.context().open();
  try {
    const stated: StatedCause[] = [];
    for (const { id } of await listPatterns(opened.store, PATTERNS_MAX)) {
      const pattern = await readPattern(opened.store, id);
      if (pattern === undefined || pattern.shift !== undefined) continue;
      const { subject, confidence } = pattern;
      const commit = 'commit' in subject ? subject.commit : null;
      const isRight = isRightCause(pattern, scenario, await lab.files(commit ?? undefined));
      if (isRight !== undefined) stated.push({ confidence, isRight });
    }
    return stated;
  } finally {
    await opened.close();
  }
}

/** Undefined where no cause is stated, or where the scenario does not say which is right. */
export function isRightCause(
  { agent, subject }: Stated,
  scenario: Scenario,
  files: TargetFiles,
): boolean | undefined {
  if (subject.kind === 'unknown') return undefined;
  const expectations = expectationsOf(scenario);
  const fixes = expectations.flatMap((one) => (one.outcome === 'fixed' ? [one] : []));
  const isFaulty = fixes.some((one) => wantedRates(one).some((rate) => rate.agent === agent));
  if (!('file' in subject)) return subject.kind === 'service' ? !isFaulty : undefined;
  if (subject.file === null || subject.line === null) return undefined;
  const here = new Map([[subject.file, new Set([subject.line])]]);
  const isAt = (places: readonly Place[]) => isWithin(here, places, files);
  // The limit of a trap is met, and still no change of it helps: neither answer is wrong.
  if (isAt(expectations.flatMap(triedPlaces))) return undefined;
  return isFaulty && isAt(expectations.flatMap(rightPlaces));
}
