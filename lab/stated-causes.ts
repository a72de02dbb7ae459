/** What Hone states as the causes of failures, how sure it is, and whether the scenario says the same. */
import { readArtifact } from '../src/artifact/index.ts';
import type { EntryPayload, Pattern } from '../src/facts/index.ts';
import { patternSchema } from '../src/facts/schemas.ts';
import { LedgerView } from '../src/ledger/index.ts';
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

const ENTRIES_MAX = 50_000;

/**
 * Everything that was ever said, each cause of a pattern once, as sure as it was in the end: what a pattern says after
 * its fix is only what is left of it.
 */
export async function statedCauses(
  lab: LabInstallation,
  scenario: Scenario,
): Promise<StatedCause[]> {
  const opened = await lab.context().open();
  try {
    await opened.placePending();
    const newest = new Map<string, Pattern>();
    const about = { type: 'diagnose.pattern_found', limit: ENTRIES_MAX } as const;
    for (const { entry } of await new LedgerView(opened.store).entries(about)) {
      const { patternDigest } = entry!.data as EntryPayload<'diagnose.pattern_found'>;
      const { content } = await readArtifact(opened.store, patternDigest);
      const pattern = patternSchema.parse(JSON.parse(Buffer.from(content).toString()));
      if (pattern.shift === undefined) newest.set(statementKey(pattern), pattern);
    }
    const stated: StatedCause[] = [];
    const filesAt = new Map<string | undefined, Promise<TargetFiles>>();
    for (const pattern of newest.values()) {
      const { subject, confidence } = pattern;
      const commit = ('commit' in subject ? subject.commit : null) ?? undefined;
      const files = filesAt.get(commit) ?? lab.files(commit);
      filesAt.set(commit, files);
      const isRight = isRightCause(pattern, scenario, await files);
      if (isRight !== undefined) stated.push({ confidence, isRight });
    }
    return stated;
  } finally {
    await opened.close();
  }
}

function statementKey({ id, subject }: Pattern): string {
  const { file = null } = 'file' in subject ? subject : {};
  const path = subject.kind === 'setting' ? subject.path : [];
  return JSON.stringify([id, subject.kind, file, path]);
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
  const isUnnamedTrap = expectations.some(
    (one) => one.outcome === 'taken_back' && one.places === undefined,
  );
  if (isUnnamedTrap && !isFaulty) return undefined;
  return isFaulty && isAt(expectations.flatMap(rightPlaces));
}
