/** Changes that reached the target: how each is watched, and what came of it. */
import { isoTime } from '../base/index.ts';
import type { ChangeList, ChangesListInput, ShownChange, ShownWatch } from '../contracts/change.ts';
import { type Entry, type EntryPayload, statementText } from '../facts/index.ts';
import { type Fix, fixesOf } from '../learn/index.ts';
import { LedgerView } from '../ledger/index.ts';
import {
  footingIn,
  type Probation,
  readBaseline,
  readProbation,
  readWatch,
  seriesWords,
  viewOf,
  type Watch,
} from '../monitor/index.ts';
import { Telemetry } from '../observe/index.ts';
import {
  AT_THE_TARGET,
  latest,
  listProposals,
  type Proposal,
  readAttestations,
} from '../proposal/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { type AppContext, withLedger, withLoop, withOpened } from './context.ts';
import { findProposal } from './find-proposal.ts';
import type { Refusal } from './refusal.ts';

const REACHED = [...AT_THE_TARGET, 'reverted'] as const;
/** More entries than a change has in its life. */
const ENTRIES_MAX = 1000;

/** The newest first. */
export function listChanges(
  context: AppContext,
  { before, limit }: ChangesListInput,
): Promise<ChangeList> {
  return withOpened(context, async ({ store }) => {
    const listed = await listProposals(store, { states: REACHED, before, limit: limit + 1 });
    const found = listed.slice(0, limit);
    const fixes = await fixesOf(
      store,
      found.map(({ id }) => id),
    );
    const changes = found.map(async (proposal) => {
      const { id } = proposal;
      return changeOf(proposal, { ...(await watchedOf(store, id)), fix: fixes.get(id) });
    });
    const next = listed.length > limit ? found.at(-1)!.id : null;
    return { changes: await Promise.all(changes), next };
  });
}

/** `given`: its id, or a unique prefix of it. */
export function showChange(context: AppContext, given: string): Promise<ShownChange> {
  return withLedger(context, async ({ store }) => {
    const proposal = await findProposal(store, given);
    const { id } = proposal;
    const watched = await watchedOf(store, id);
    const fix = (await fixesOf(store, [id])).get(id);
    const placed = await new LedgerView(store).entries({
      subject: `proposal:${id}`,
      limit: ENTRIES_MAX,
    });
    const entries = placed.map(({ entry }) => entry);
    const untilMs = watched.probation?.untilMs ?? watched.watch?.untilMs ?? null;
    return {
      ...changeOf(proposal, { ...watched, fix }),
      watchedUntil: untilMs === null ? null : isoTime(untilMs),
      outcomeReason: fix === undefined ? null : mask(fix.reason).text,
      effects: entries.flatMap(effectOf),
      story: entries.flatMap(toldBy),
    };
  });
}

/** The series that a person is shown. */
const SERIES_MAX = 8;
const RINGS = ['changed', 'shared', 'rest'] as const;

/** How near its watch is to an alarm. */
export function watchChange(context: AppContext, given: string): Promise<ShownWatch | Refusal> {
  return withLoop(context, {}, async ({ store, config }, { ports }) => {
    const proposal = await findProposal(store, given);
    const watched = await watchedOf(store, proposal.id);
    const { watch, probation } = watched;
    if (watch === undefined) return { refused: `It is ${proposal.state}: it is not watched.` };
    const { startedAtMs, baselineDigest } = watch;
    const baseline = await readBaseline(store, baselineDigest);
    const [footing, expected] = [footingIn(baseline), baseline.expected];
    const nowMs = await store.nowMs();
    const telemetry = new Telemetry(ports.telemetry);
    const { course, looked, notCompared } = await viewOf(
      { proposalId: proposal.id, startedAtMs, footing, expected },
      {
        nowMs,
        settings: config.monitor,
        callHours: (window) => telemetry.callHours(window),
        sessionHours: (window) => telemetry.sessionHours(window),
      },
    );
    const fix = (await fixesOf(store, [proposal.id])).get(proposal.id);
    return {
      ...changeOf(proposal, { ...watched, fix }),
      at: isoTime(nowMs),
      watchedUntil: isoTime(probation?.untilMs ?? watch.untilMs),
      rings: RINGS.flatMap((ring, at) => {
        const hours = course.get(at);
        if (hours === undefined) return [];
        return [
          {
            ring,
            share: hours.at(-1)?.share ?? 0,
            course: hours.map(({ atMs, share }) => ({ at: isoTime(atMs), share })),
          },
        ];
      }),
      series: looked
        .map(({ series, norm, evidence, evidenceNeeded }) => ({
          agent: series.agent,
          tool: series.tool,
          measure: series.measure,
          words: seriesWords(series),
          before: { bad: norm.bad, all: norm.all },
          since: series.since.reduce(
            (total, { bad, all }) => ({ bad: total.bad + bad, all: total.all + all }),
            { bad: 0, all: 0 },
          ),
          share: evidence / evidenceNeeded,
        }))
        .sort((a, b) => b.share - a.share)
        .slice(0, SERIES_MAX),
      notCompared: notCompared.slice(0, SERIES_MAX).map(({ agent, tool }) => ({ agent, tool })),
    };
  });
}

interface Watched {
  readonly watch: Watch | undefined;
  readonly probation: Probation | undefined;
  readonly deployedAtMs: number | undefined;
}

async function watchedOf(store: Store, id: string): Promise<Watched> {
  const [watch, probation] = await Promise.all([readWatch(store, id), readProbation(store, id)]);
  const deployedAtMs = watch?.startedAtMs ?? (await deploymentAtMs(store, id));
  return { watch, probation, deployedAtMs };
}

async function deploymentAtMs(store: Store, id: string): Promise<number | undefined> {
  const attestations = await readAttestations(store, id);
  const digest = attestations.at(-1)?.contentDigest;
  return digest === undefined ? undefined : latest(attestations, 'deployment', digest)?.atMs;
}

function changeOf(
  { id, title, state }: Proposal,
  { probation, deployedAtMs, fix }: Watched & { readonly fix: Fix | undefined },
): ChangeList['changes'][number] {
  const isOn = state === 'implemented' && probation?.endedAtMs === null;
  const isClose = state !== 'implemented' && state !== 'reverted';
  const proposed = state === 'implemented' ? (probation?.rollback ?? null) : null;
  return {
    id,
    title,
    state,
    deployedAt: deployedAtMs === undefined ? null : isoTime(deployedAtMs),
    watch: isClose ? 'close' : isOn ? 'probation' : 'over',
    outcome: fix?.outcome ?? null,
    rollback:
      proposed === null ? null : { why: mask(proposed.why).text, since: isoTime(proposed.sinceMs) },
  };
}

function effectOf({ type, at, data }: Entry): ShownChange['effects'] {
  if (type !== 'monitor.effect_measured') return [];
  const { beforeBad, beforeAll, sinceBad, sinceAll, ...numbers } =
    data as EntryPayload<'monitor.effect_measured'>;
  return [
    {
      ...numbers,
      at,
      before: { bad: beforeBad, all: beforeAll },
      since: { bad: sinceBad, all: sinceAll },
    },
  ];
}

/** What each entry of the watch says, for people. */
function toldBy({ type, at, data, actor }: Entry): ShownChange['story'] {
  const said = (what: string) => [{ at, what: mask(what).text }];
  switch (type) {
    case 'proposal.attested': {
      const statement = data as EntryPayload<'proposal.attested'>;
      const isOfWatch = ['deployment', 'arrival', 'monitoring', 'rollback'].includes(
        statement.kind,
      );
      return isOfWatch ? said(`${statementText(statement)}, by ${actor.id}`) : [];
    }
    case 'monitor.extended':
      return said(`watched longer: ${(data as EntryPayload<'monitor.extended'>).reason}`);
    case 'monitor.probation_began': {
      const { untilMs } = data as EntryPayload<'monitor.probation_began'>;
      return said(`on probation until ${isoTime(untilMs)}`);
    }
    case 'monitor.rollback_proposed':
      return said(`its rollback is proposed: ${(data as EntryPayload<typeof type>).why}`);
    case 'monitor.rollback_withdrawn':
      return said(`its rollback is no longer proposed: ${(data as EntryPayload<typeof type>).why}`);
    case 'monitor.probation_ended':
      return said((data as EntryPayload<typeof type>).why);
    case 'learn.fix_recorded': {
      const { outcome } = data as EntryPayload<typeof type>;
      return said(`remembered as ${outcome}`);
    }
    default:
      return [];
  }
}
