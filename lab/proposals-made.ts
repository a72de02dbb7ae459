/** What became of every proposal of a run, and whether it was about the right place. */
import type { ProposalState } from '../src/facts/index.ts';
import { expectationsOf, mainOutcome, rightPlaces, wantedSettings } from './expected.ts';
import { expectDone, type LabInstallation } from './installation.ts';
import { amountIn, findPlace, type TargetFiles } from './places.ts';
import type { Scenario } from './scenario.ts';
import { isWithin, touchedByDiff } from './touched.ts';

export interface JudgedProposal {
  readonly title: string;
  readonly state: ProposalState;
  readonly files: readonly string[];
  /** Null where the scenario does not say which places are right. */
  readonly isRightPlace: boolean | null;
  /** At the right place and the right way. */
  readonly isRight: boolean | null;
  readonly createdAtMs: number;
  readonly deployedAtMs: number | null;
  readonly revertedAtMs: number | null;
}

interface Shown {
  readonly state: ProposalState;
  readonly createdAt: string;
  readonly content: {
    readonly title: string;
    readonly baseCommit: string;
    readonly files: string[];
  };
  readonly diff: string;
  readonly attestations: readonly {
    readonly kind: string;
    readonly verdict: string;
    readonly at: string;
  }[];
}

export async function proposalsMade(
  lab: LabInstallation,
  scenario: Scenario,
): Promise<JudgedProposal[]> {
  const listed = expectDone(await lab.hone('proposals', 'list', '--limit', '1000', '--json'));
  const { proposals } = listed.json<{ proposals: { id: string }[] }>();
  const made: JudgedProposal[] = [];
  for (const { id } of proposals) {
    const shown = expectDone(await lab.hone('proposals', 'show', id, '--json')).json<Shown>();
    const base = await lab.files(shown.content.baseCommit);
    made.push({ ...judged(shown, base, scenario), ...times(shown) });
  }
  return made.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

function times({ createdAt, attestations }: Shown) {
  const at = (kind: string) => attestations.findLast((one) => one.kind === kind)?.at;
  const [deployed, reverted] = [at('deployment'), at('rollback')];
  return {
    createdAtMs: Date.parse(createdAt),
    deployedAtMs: deployed === undefined ? null : Date.parse(deployed),
    revertedAtMs: reverted === undefined ? null : Date.parse(reverted),
  };
}

function judged({ state, content, diff }: Shown, base: TargetFiles, scenario: Scenario) {
  const { title, files } = content;
  const expectations = expectationsOf(scenario);
  const places = expectations.flatMap(rightPlaces);
  // Where nothing may change, every place is a wrong one; where harm is expected, somebody has to say where.
  const isSaid = places.length > 0 || mainOutcome(scenario) !== 'taken_back';
  const isRightPlace = isSaid ? isWithin(touchedByDiff(diff), places, base) : null;
  return {
    title,
    state,
    files,
    isRightPlace,
    isRight: isRightPlace && isRightWay(diff, base, scenario),
  };
}

/** Every wanted setting that the diff replaces moves the way it should. */
function isRightWay(diff: string, base: TargetFiles, scenario: Scenario): boolean {
  const added = diff
    .split('\n')
    .filter((line) => /^\+(?!\+\+)/.test(line))
    .map((line) => line.slice(1));
  const touched = touchedByDiff(diff);
  return expectationsOf(scenario).every((expected) => {
    if (expected.outcome !== 'fixed') return true;
    return wantedSettings(expected).every((setting) => {
      const found = findPlace(base, setting);
      const was = amountIn(found?.value);
      const isTouched = found !== undefined && touched.get(setting.file)?.has(found.line) === true;
      if (!isTouched || was === undefined || setting.direction === undefined) return true;
      const numbers = added.flatMap((line) => line.match(/\d[\d_]*(?:\.\d+)?[a-z]*/gi) ?? []);
      const amounts = numbers.flatMap(
        (text) => amountIn(text) ?? amountIn(Number.parseFloat(text)) ?? [],
      );
      return amounts.some((now) => (setting.direction === 'up' ? now > was : now < was));
    });
  });
}
