/** Which change a finding is traced back to: what each change at the target has to do with it, by counts. Pure. */
import { poissonCdf, poissonSf } from '../stats/index.ts';
import type { LateFinding } from './late-harm.ts';
import { type Change, type Fleet, type Series, seriesOf } from './measures.ts';
import { normal } from './norm.ts';
import { commitsAt, type PeoplesCommit } from './peoples-commits.ts';
import type { Footing, Ring } from './rings.ts';
import { sum } from './season.ts';
import { wasSlower } from './slower-before.ts';
import { type Suspect, type Suspicion, tieBack } from './tie-back.ts';
import { type LoadView, loadOf } from './tool-load.ts';

/** Chances below which others are ill, and below which they are well. */
export const ILL = 0.01;
const WELL = 0.1;

/** A change that is at the target. */
export interface AtTarget extends Change {
  readonly proposalId: string;
}

export interface Harmed {
  readonly finding: LateFinding;
  /** Of every change that is at the target, the likeliest first. */
  readonly suspicions: readonly Suspicion[];
  /** At the tool that fails, as the change that was asked about explains it. */
  readonly load: LoadView | undefined;
  /** Its calls suffer while those of that change are in flight (`learnt-sharing.ts`). */
  readonly overlaps?: boolean;
  /** What people committed there and is likelier than each change. */
  readonly commit?: PeoplesCommit | undefined;
}

interface Traced {
  readonly change: AtTarget;
  readonly all: readonly Series[];
  /** The place suffers while calls of the change are in flight. */
  readonly overlaps?: boolean;
}

/** What a finding is traced back in. */
export interface Surrounding {
  readonly fleet: Fleet;
  /** The one that is asked about first. */
  readonly changes: readonly Traced[];
}

export function surrounding(
  fleet: Fleet,
  changes: readonly AtTarget[],
  allowed: number,
): Surrounding {
  return {
    fleet,
    changes: changes.map((change) => ({ change, all: seriesOf(fleet, change, allowed) })),
  };
}

/** What people committed competes with the changes, and is no suspicion itself: nobody here can take it back. */
export function traceBack(
  finding: LateFinding,
  { fleet, changes }: Surrounding,
  people: readonly PeoplesCommit[] = [],
): Harmed {
  const onset = { lowMs: finding.onsetLowMs, highMs: finding.onsetHighMs };
  const suspects = changes.map(({ change, ...seen }) =>
    suspectOf(change, finding, { fleet, ...seen }),
  );
  const commits = commitsAt(finding.series, people);
  const isCommit = new Map(people.map((one) => [one.id, one]));
  const tied = tieBack(onset, [...suspects, ...commits]);
  const suspicions = tied.filter(({ proposalId }) => !isCommit.has(proposalId));
  return {
    finding,
    suspicions,
    load: suspects[0]!.load,
    commit: isCommit.get(tied[0]!.proposalId),
  };
}

function suspectOf(
  { proposalId, startedAtMs, footing, expected }: AtTarget,
  finding: LateFinding,
  { fleet, all, overlaps = false }: { readonly fleet: Fleet } & Omit<Traced, 'change'>,
): Suspect {
  const { agent, tool, measure } = finding.series;
  const alike = all.filter((one) => one.measure === measure);
  const ring: Ring = alike.find((one) => one.agent === agent && one.tool === tool)?.ring ?? 3;
  const changed = new Set(all.filter((one) => one.ring === 0).map((one) => one.agent));
  const far = alike.filter((one) => one.ring >= 2);
  return {
    proposalId,
    startedAtMs,
    ring,
    wasSlower: wasSlower(finding, { startedAtMs, calls: fleet.calls }),
    sharers: sharersOf(finding, { alike, ring, footing }),
    // An outage puts no failures into the moments in which calls of the change are in flight.
    isElsewhere: !overlaps && conditionOf(far, finding) === 'ill',
    // Failures follow from load; what else a tool does at a load was not asked.
    load:
      measure !== 'failures'
        ? undefined
        : loadOf({
            calls: fleet.calls,
            sessions: fleet.sessions,
            tool,
            sharing: sharedWith(tool, footing),
            overlaps,
            agent,
            changed: (name) => changed.has(name),
            origins: footing.tools,
            after: footing.after,
            isOfTries: expected?.signs.tries !== undefined,
            startedAtMs,
            onsetMs: finding.onsetMs,
            usual: (finding.norm.bad + 0.5) / (finding.norm.all + 1),
          }),
  };
}

/** Where a tool shares something with a changed one, what both of them and the others hold is its load. */
function sharedWith(tool: string, { tools, sharing = [], holding }: Footing): readonly string[] {
  return sharing.includes(tool) ? [...(holding ?? tools ?? []), ...sharing] : [];
}

/** At what was changed: whoever else calls the tool. At what shares a changed tool: the changed ones. */
function sharersOf(
  finding: LateFinding,
  {
    alike,
    ring,
    footing,
  }: { readonly alike: readonly Series[]; readonly ring: Ring; readonly footing: Footing },
): Suspect['sharers'] {
  const { tool } = finding.series;
  if (ring !== 0 && footing.tools !== null && !footing.tools.includes(tool)) return 'none';
  const compared = alike.filter((one) => one.tool === tool && (one.ring === 0) !== (ring === 0));
  const condition = conditionOf(compared, finding);
  // Sessions of other agents share nothing with these: that they are well says nothing.
  return tool === '' && condition === 'well' ? 'none' : condition;
}

/** Whether these are as ill as the finding in its hours. */
function conditionOf(compared: readonly Series[], finding: LateFinding): Suspect['sharers'] {
  let [bad, all, expected, spread] = [0, 0, 0, 1];
  for (const series of compared) {
    const norm = normal(series.before);
    if (norm.all === 0) continue;
    const rate = (norm.bad + 0.5) / (norm.all + 1);
    const hours = series.since.filter(
      ({ atMs }) => atMs >= finding.onsetMs && atMs < finding.endMs,
    );
    const now = sum(hours);
    bad += now.bad;
    all += now.all;
    expected += hours.reduce(
      (total, hour) => total + hour.all * rate * norm.factorAt(hour.atMs),
      0,
    );
    spread = Math.max(spread, norm.dispersion);
  }
  if (compared.length === 0 || all === 0) return 'none';
  if (bad > 1.25 * expected && poissonSf(bad / spread - 1, expected / spread) < ILL) return 'ill';
  const excess = (finding.observed.bad - finding.expectedBad) / finding.observed.all;
  const asIll = expected + (Math.max(0, excess) * all) / 3;
  return poissonCdf(Math.floor(bad / spread), asIll / spread) < WELL ? 'well' : 'unclear';
}
