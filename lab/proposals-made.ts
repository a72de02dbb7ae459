/** What became of every proposal of a run, and whether it was about the right place. */
import type { ProposalState } from '../src/facts/index.ts';
import { expectationsOf, rightPlaces, triedPlaces, wantedSettings } from './expected.ts';
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
    made.push({ ...judgedProposal(shown, base, scenario), ...times(shown) });
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

/** Of one proposal, given the files that it was made for. */
export function judgedProposal(
  { state, content, diff }: Pick<Shown, 'state' | 'content' | 'diff'>,
  base: TargetFiles,
  scenario: Scenario,
) {
  const { title, files } = content;
  const expectations = expectationsOf(scenario);
  const touched = touchedByDiff(diff);
  const isRightPlace = isWithin(touched, expectations.flatMap(rightPlaces), base);
  const isTried = isWithin(touched, expectations.flatMap(triedPlaces), base);
  // Where harm is expected and nobody says where, no place is wrong.
  const isUnsaid = expectations.every(
    (one) => one.outcome === 'taken_back' && one.places === undefined,
  );
  const common = { title, state, files };
  if (!isRightPlace && (isTried || isUnsaid))
    return { ...common, isRightPlace: null, isRight: null };
  return { ...common, isRightPlace, isRight: isRightPlace && isRightWay(diff, base, scenario) };
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
