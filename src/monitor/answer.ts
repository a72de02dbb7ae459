/**
 * What a watch decides when something got worse, so that harm is attributed to one change at a time.
 *
 * Harm to the agent of the change leads to a rollback at once, or within minutes if it is not clear at once
 * that no other agent has it. Harm to the whole fleet is attributed to the newest change (deployed before it
 * began, still watched, no rollback requested), and so is harm to whoever shares a tool that several changes reach.
 * Harm that the other agents have in the same way looks like an outage and is
 * waited out, once, for `hold`, with whatever else began in the agent at the same time. Each older change
 * waits `hold` longer, and again `hold` after another rollback was requested. If the harm has ended by then, its
 * time is left out of the counts and the rest is judged; otherwise the change is taken back in doubt.
 * So no harm stays, and no outage takes back more than one change in each `hold`.
 * What came and went as badly before the deployment is waited out like an outage, each time (`usual-spells.ts`, ADR 193),
 * where a rollback would be in doubt anyway.
 */
import type { RateBin } from '../facts/index.ts';
import { agentOf, type Compared, type Harm, harmOf, isOfAllCalls, SAME_TIME_MS } from './cause.ts';
import { added, countedOf, measured, observedIn, othersOf } from './comparison.ts';
import { findingsOf, type Limits } from './judge.ts';
import { type ChangedFiles, commitBehind, type PeoplesCommit } from './peoples-commits.ts';
import { withoutIll } from './places-that-stay-ill.ts';
import { type Footing, toolsReached } from './rings.ts';
import { Rounds, type Stretch } from './rounds.ts';
import type { Fate, Judgement, SeriesObserved, Watch } from './types.ts';
import { isUsualSpell } from './usual-spells.ts';

/** Another change that is or was watched. */
export interface OtherWatch extends Fate {
  readonly proposalId: string;
  readonly startedAtMs: number;
  /** What it is at, where that can be read. */
  readonly footing?: Footing | undefined;
}

export type Blame = 'own' | 'doubt';

interface Seen {
  /** Without the time of harm that was waited out. */
  readonly judged: Judgement;
  readonly observed: readonly SeriesObserved[];
}

export type Answer =
  | (Seen & { readonly say: 'fine' })
  | (Seen & { readonly say: 'worse'; readonly harm: Harm; readonly blame: Blame })
  | (Seen & {
      readonly say: 'held';
      readonly harm: Harm;
      /** For a few minutes, until it shows whether others have it too. */
      readonly isSettling: boolean;
      /** It came and went before the deployment, too. */
      readonly isUsual?: boolean;
      /** It would be refused without the change, too (`refused-anyway.ts`). */
      readonly isRefusedAnyway?: boolean;
      /** What people committed right before it began: the likelier cause. */
      readonly commit?: PeoplesCommit;
      readonly untilMs: number;
    });

export interface Question extends Compared {
  readonly watch: Pick<Watch, 'proposalId' | 'startedAtMs'>;
  /** What people committed since the deployment, and to what the change is; absent where that is not known. */
  readonly people?: { readonly changed: ChangedFiles; readonly commits: readonly PeoplesCommit[] };
  readonly others: readonly OtherWatch[];
  /** Harm that would be there without the change, asked of what was answered with a rollback. */
  readonly refusedAnyway?: readonly Harm[];
  /** Counts by minute before the deployment; absent where they are not known any more. */
  readonly minutesBefore?: readonly SeriesObserved[];
  /** Tools whose trouble was shown to be somebody else's: not in the series of the whole fleet any more. */
  readonly left?: readonly string[];
  readonly limits: Limits & { readonly hold: number };
  readonly nowMs: number;
}

const MINUTE_MS = 60_000;

/** Back to normal means nearer to normal than to the harm, over at least this long and this many events. */
const OVER_MS = 15 * 60_000;
const OVER_EVENTS = 20;

const ROUNDS_MAX = 50;

/** Where the end of an outage is sought first, from when it was found. */
const NEAR_MS = 60 * MINUTE_MS;

/** `rounds` are of the same counts, of which nothing was left out so far. */
export function answerTo(question: Question, rounds: Rounds = new Rounds(question)): Answer {
  const { baseline, calls, limits, nowMs } = question;
  let outage: Stretch | undefined;
  let isElsewhereAgain = false;
  let behind: Behind | undefined;
  for (let round = 1; ; round++) {
    const { judged, observed } = rounds;
    const seen = { judged, observed };
    const harms = withMix(
      findingsOf(judged.readings).map((found) =>
        rounds.harmOf(found, question, () =>
          harmOf(found, { baseline, observed, calls }, question),
        ),
      ),
    );
    const { plain, harm } = gravest(harms);
    if (harm === undefined) return { ...seen, say: 'fine' };
    if (harm.cause === 'mix') {
      const over = rounds.overAt(harm, () => overAt(harm, { baseline, observed }));
      if (over === undefined || round >= ROUNDS_MAX) return { ...seen, say: 'fine' };
      rounds.leaveOut({ fromMs: harm.beganAtMs, toMs: over, isOfFleet: true });
      continue;
    }
    if ((harm.cause === 'unclear' || harm.cause === 'fleet') && nowMs < harm.settledAtMs)
      return { ...seen, say: 'held', harm, isSettling: true, untilMs: harm.settledAtMs };
    const rivals = harm.cause === 'sharer' ? rivalsOf(harm, question) : [];
    const isOwn = (harm.cause === 'own' || harm.cause === 'sharer') && rivals.length === 0;
    const blame: Blame = isOwn ? 'own' : 'doubt';
    const worse = { ...seen, say: 'worse', harm, blame } as const;
    behind = behindOf(harm, behind, question);
    const isUsual = blame === 'doubt' && rivals.length === 0 && cameBefore(harm, question);
    const isRefusedAnyway = (question.refusedAnyway ?? []).some((one) => isSameHarm(one, harm));
    const isElsewhere = harm.cause === 'elsewhere';
    const isExplained = behind !== undefined || isUsual || isRefusedAnyway;
    const isPlain = plain !== undefined && rivals.length === 0 && !isExplained;
    if (isPlain || (round >= ROUNDS_MAX && !isElsewhere)) return worse;
    const turn =
      behind !== undefined
        ? // Whoever committed it may mend it, or Hone puts it back; not for ever, because nothing proves it.
          { fromMs: harm.beganAtMs, isExcused: true, isOutage: false, ...behind }
        : isElsewhere || isRefusedAnyway
          ? // However long it lasts: it says nothing about the change.
            {
              fromMs: harm.beganAtMs,
              isExcused: true,
              isOutage: false,
              untilMs: nowMs + limits.hold,
            }
          : isUsual
            ? // What came and went before goes again.
              {
                fromMs: harm.beganAtMs,
                isExcused: true,
                isOutage: false,
                untilMs: harm.beganAtMs + limits.hold,
              }
            : turnOf(
                harm,
                rivals.length === 0 ? question : { ...question, others: rivals },
                outage,
              );
    if (!turn.isExcused) return worse;
    const overAtMs = rounds.overAt(harm, () => overAt(harm, { baseline, observed }));
    if (overAtMs === undefined || round >= ROUNDS_MAX) {
      if (nowMs >= turn.untilMs) return worse;
      const held = {
        ...seen,
        say: 'held',
        harm,
        isSettling: false,
        isUsual,
        isRefusedAnyway,
        untilMs: turn.untilMs,
      } as const;
      return behind === undefined ? held : { ...held, commit: behind.commit };
    }
    if (isElsewhere && isOfAllCalls(harm.found)) {
      const rest = isElsewhereAgain ? withoutIll(harm, question) : undefined;
      if (rest !== undefined) return answerTo(rest);
      isElsewhereAgain = true;
    }
    const stretch = { fromMs: turn.fromMs, toMs: overAtMs };
    if (turn.isOutage) outage = stretch;
    rounds.leaveOut({ ...stretch, fromMs: harm.beganAtMs });
  }
}

/** In another look at the same counts. */
function isSameHarm(one: Harm, other: Harm): boolean {
  const [a, b] = [one.found, other.found];
  return (
    a.metric === b.metric &&
    a.agent === b.agent &&
    a.tool === b.tool &&
    a.finding.foundAtMs === b.finding.foundAtMs &&
    a.finding.observed.bad === b.finding.observed.bad &&
    a.finding.observed.all === b.finding.observed.all &&
    one.beganAtMs === other.beganAtMs
  );
}

export function cameBefore(
  { found }: Harm,
  { minutesBefore = [] }: Pick<Question, 'minutesBefore'>,
): boolean {
  const before = minutesBefore.find(
    ({ metric, agent, tool }) =>
      metric === found.metric && agent === found.agent && tool === found.tool,
  );
  return before !== undefined && isUsualSpell(found, before.bins);
}

/** What people committed right before harm, and until when it is waited out. */
interface Behind {
  readonly commit: PeoplesCommit;
  readonly untilMs: number;
}

/**
 * Of the changed agent, or of who shares its tool: a commit to others' files is not looked for. Harm that comes and goes is that of its
 * first time.
 */
function behindOf(
  { cause, beganAtMs }: Harm,
  before: Behind | undefined,
  { people, limits }: Question,
): Behind | undefined {
  if (people === undefined || cause === 'elsewhere' || cause === 'fleet') return undefined;
  if (before !== undefined && beganAtMs <= before.untilMs) return before;
  const commit = commitBehind(beganAtMs, people.changed, people.commits);
  return commit === undefined ? undefined : { commit, untilMs: beganAtMs + limits.duration };
}

/** Where the fleet has more calls of those that fail anyway, it has more of the tasks that fail because of them. */
function withMix(harms: readonly Harm[]): readonly Harm[] {
  const mix = harms.find(({ cause }) => cause === 'mix');
  if (mix === undefined) return harms;
  return harms.map((one): Harm => {
    const isWith = one.cause === 'fleet' && Math.abs(one.beganAtMs - mix.beganAtMs) <= SAME_TIME_MS;
    return isWith ? { ...one, cause: 'mix' } : one;
  });
}

/** Harm that leads to a rollback without waiting; else harm to wait for. */
function gravest(harms: readonly Harm[]): { plain: Harm | undefined; harm: Harm | undefined } {
  const shared = harms.find(({ cause }) => cause === 'shared' || cause === 'elsewhere');
  // Calls fail everywhere, and the agent's tasks because of that: this is not harm of its own.
  const withShared = ({ beganAtMs }: Harm) =>
    shared !== undefined && Math.abs(beganAtMs - shared.beganAtMs) <= SAME_TIME_MS;
  const apart = harms.filter((one) => !withShared(one));
  const plain =
    apart.find(({ cause }) => cause === 'own') ??
    apart.find(({ cause }) => cause === 'sharer') ??
    apart.find(({ cause }) => cause === 'unclear');
  const others = harms.filter(({ cause }) => cause !== 'mix');
  return { plain, harm: plain ?? shared ?? others[0] ?? harms[0] };
}

/** Other changes that may have done this to whoever shares the tool: they reach it, and were there when it began. */
function rivalsOf({ found: { tool }, beganAtMs }: Harm, { others }: Question): OtherWatch[] {
  return others.filter(({ footing, startedAtMs, isWatched, calledBackAtMs }) => {
    if (footing === undefined || startedAtMs > beganAtMs + SAME_TIME_MS) return false;
    const isThere = calledBackAtMs === null ? isWatched : calledBackAtMs > beganAtMs;
    const tools = toolsReached(footing);
    return isThere && (tools === null || tools.includes(tool!));
  });
}

interface Turn {
  readonly fromMs: number;
  /** Another change is suspected first, or it looks like an outage: there is a reason to wait. */
  readonly isExcused: boolean;
  readonly isOutage: boolean;
  readonly untilMs: number;
}

function turnOf(
  { cause, beganAtMs }: Harm,
  { watch, others, limits }: Question,
  outage: Stretch | undefined,
): Turn {
  const isSame = outage !== undefined && Math.abs(beganAtMs - outage.toMs) <= limits.hold;
  const fromMs = isSame ? Math.min(beganAtMs, outage.fromMs) : beganAtMs;
  const newer = others.filter(
    (one) =>
      one.isWatched &&
      one.calledBackAtMs === null &&
      isNewer(one, watch) &&
      one.startedAtMs <= beganAtMs + SAME_TIME_MS,
  ).length;
  const calls = others.flatMap(({ calledBackAtMs: at }) => (at === null ? [] : [at]));
  const lastCallMs = Math.max(fromMs, ...calls);
  const isCalled = lastCallMs > fromMs;
  // Once is an outage. Harm that returns leads to a rollback.
  const isOutage =
    cause === 'shared' && newer === 0 && !isCalled && (outage === undefined || isSame);
  const turns = newer + (isCalled || (cause === 'shared' && newer > 0) || isOutage ? 1 : 0);
  return {
    fromMs,
    isExcused: turns > 0,
    isOutage,
    untilMs: lastCallMs + limits.hold * turns,
  };
}

function isNewer(one: OtherWatch, watch: Question['watch']): boolean {
  if (one.startedAtMs !== watch.startedAtMs) return one.startedAtMs > watch.startedAtMs;
  return one.proposalId > watch.proposalId;
}

/** When the affected agents had recovered; undefined while they have not. Most outages are short, so it is sought near first. */
function overAt(harm: Harm, { baseline, observed }: Compared): number | undefined {
  const fromMs = harm.beganAtMs;
  const lastMs = Math.max(0, ...observed.map(({ bins }) => bins.at(-1)?.atMs ?? 0));
  for (let lengthMs = NEAR_MS; ; lengthMs *= 4) {
    const toMs = harm.found.finding.foundAtMs + lengthMs;
    const near = { baseline, observed: observedIn(observed, { fromMs, toMs }) };
    const overAtMs = overWithin(harm, near);
    if (overAtMs !== undefined || toMs > lastMs) return overAtMs;
  }
}

function overWithin({ found, cause, beganAtMs }: Harm, compared: Compared): number | undefined {
  const { metric, finding } = found;
  const { startedAtMs } = compared.baseline;
  const agent = agentOf(compared.baseline);
  const counted =
    cause === 'sharer'
      ? countedOf(compared, metric, found.agent, found.tool)
      : cause === 'shared' && agent !== null
        ? othersOf(compared, metric, agent)
        : countedOf(compared, metric, null);
  if (counted === undefined) return undefined;
  const bins = measured(counted, startedAtMs).filter(({ atMs }) => atMs >= beganAtMs);
  const harm = added(bins.filter(({ atMs }) => atMs < finding.foundAtMs));
  const harmRate = harm.bad / Math.max(1, harm.all);
  for (const [at, { atMs }] of bins.entries()) {
    if (atMs < finding.foundAtMs) continue;
    const stretch = lastOf(bins, at);
    if (stretch === undefined) continue;
    const { bad, all, expectedBad } = added(stretch);
    if (bad <= (expectedBad + harmRate * all) / 2) return atMs + MINUTE_MS;
  }
  return undefined;
}

/** The shortest stretch that ends there and is long and full enough; undefined when there is none yet. */
function lastOf<T extends RateBin>(bins: readonly T[], end: number): T[] | undefined {
  const untilMs = bins[end]!.atMs + MINUTE_MS;
  let events = 0;
  for (let at = end; at >= 0; at--) {
    events += bins[at]!.all;
    if (events >= OVER_EVENTS && untilMs - bins[at]!.atMs >= OVER_MS)
      return bins.slice(at, end + 1);
  }
  return undefined;
}
