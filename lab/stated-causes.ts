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
type Stated = Pick<Pattern, 'agent' | 'subject'>;

const ENTRIES_MAX = 50_000;

/** Where a world is played and what it says of itself. */
export interface Judged {
  readonly lab: Pick<LabInstallation, 'files'>;
  readonly scenario: Scenario;
}

/** Everything that was ever said in a whole play. */
export async function statedCauses(
  lab: LabInstallation,
  scenario: Scenario,
): Promise<StatedCause[]> {
  const opened = await lab.context().open();
  try {
    await opened.placePending();
    const patterns: Pattern[] = [];
    const about = { type: 'diagnose.pattern_found', limit: ENTRIES_MAX } as const;
    for (const { entry } of await new LedgerView(opened.store).entries(about)) {
      const { patternDigest } = entry!.data as EntryPayload<'diagnose.pattern_found'>;
      const { content } = await readArtifact(opened.store, patternDigest);
      patterns.push(patternSchema.parse(JSON.parse(Buffer.from(content).toString())));
    }
    return await judgedStatements(patterns, { lab, scenario });
  } finally {
    await opened.close();
  }
}

/**
 * Of patterns in the order in which they were found: each cause of a pattern once, as sure as it was in the end. What a
 * pattern says after its fix is only what is left of it.
 */
export async function judgedStatements(
  patterns: readonly Pattern[],
  judged: Judged,
): Promise<StatedCause[]> {
  const newest = new Map<string, Pattern>();
  for (const pattern of patterns)
    if (pattern.shift === undefined)
      newest.set(`${pattern.id} ${placeKey(pattern.subject)}`, pattern);
  const stated: StatedCause[] = [];
  for (const pattern of newest.values()) {
    const isRight = await isRightStatement(pattern, judged);
    if (isRight !== undefined) stated.push({ confidence: pattern.confidence, isRight });
  }
  return stated;
}

/** Causes that explain it equally well are stated together, to be tried in turn: one of them has to be right. */
async function isRightStatement(
  { agent, subject, alternatives = [] }: Pattern,
  judged: Judged,
): Promise<boolean | undefined> {
  const each = [];
  for (const one of [subject, ...alternatives])
    each.push(await isRightIn({ agent, subject: one }, judged));
  return each.includes(true) ? true : each.includes(undefined) ? undefined : false;
}

/** By the files of the commit that the cause was found in. */
export async function isRightIn(
  cause: Stated,
  { lab, scenario }: Judged,
): Promise<boolean | undefined> {
  const { subject } = cause;
  const commit = ('commit' in subject ? subject.commit : null) ?? undefined;
  return isRightCause(cause, scenario, await lab.files(commit));
}

/** The same for two causes that blame the same thing. */
export function placeKey(subject: Pattern['subject']): string {
  const { file = null } = 'file' in subject ? subject : {};
  const path = subject.kind === 'setting' ? subject.path : [];
  return JSON.stringify([subject.kind, file, path]);
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
