/**
 * V1 to V10 after every step, for the subject of that step, by the auditor's own check (`health/`). V1 to V4 are judged on
 * what the step would commit, and a step that breaks one is not committed; the others are judged once it is, and told:
 * V8 as a warning, the rest as an alert, each on record. Nothing is read but the rows of the subject, so that a step costs
 * the same however long the ledger is; `hone doctor` asks over the whole of it.
 */
import { isoTime, sha256Hex } from '../base/index.ts';
import { readPattern } from '../diagnose/index.ts';
import {
  type Entry,
  type EntryDraft,
  type Pattern,
  type ProposalContent,
  type ProposalState,
  SYSTEM,
} from '../facts/index.ts';
import { checkInvariants, type Violation } from '../health/index.ts';
import { channelsOf, noticeEffects } from '../notify/index.ts';
import { readSources, Telemetry } from '../observe/index.ts';
import { type Dossier, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan } from '../store/index.ts';
import { listCycles } from './cycle-store.ts';
import type { ProposalData } from './proposal-work.ts';
import type { LoopPorts, Work } from './types.ts';

const STOPPING: readonly string[] = ['V1', 'V2', 'V3', 'V4'];
/** What is only true of a story that is over. */
const WARNS = 'V8';

/** One sentence for each of V1 to V4 that these entries would break. */
export function brokenByStep(dossier: Dossier, entries: readonly EntryDraft[]): readonly string[] {
  const { proposal, content } = dossier;
  const found = checkInvariants({
    entries: [...storyOf(dossier, undefined), ...entries.map(asEntry)],
    content: (digest) => (digest === proposal.digest ? content : undefined),
    ...NOT_ASKED,
  });
  return found
    .filter(({ invariant }) => STOPPING.includes(invariant))
    .map(({ invariant, text }) => `${invariant}: ${text}`);
}

const NOT_ASKED = {
  pattern: () => undefined,
  eventExists: () => true,
  overheadShare: null,
  rollbackMs: Number.POSITIVE_INFINITY,
} as const;

/** What people said and Hone did, as entries: the rows of a proposal hold all that the check reads. */
function storyOf(
  { proposal, attestations }: Dossier,
  learnt: ProposalState | undefined,
): readonly Entry[] {
  const subject = `proposal:${proposal.id}`;
  const entry = (type: string, data: object, at: { actor?: object; atMs: number }) =>
    ({
      ...{ v: 1, at: isoTime(at.atMs), type, subject, artifacts: [] },
      actor: at.actor ?? SYSTEM,
      data,
    }) as unknown as Entry;
  const { digest: contentDigest, state, createdAtMs, changedAtMs } = proposal;
  return [
    entry('proposal.created', { contentDigest }, { atMs: createdAtMs }),
    ...attestations.map(({ id, actor, atMs, ...said }) =>
      entry('proposal.attested', { ...said, attestationId: id }, { actor, atMs }),
    ),
    // Not to `deploying`: that it went there was judged when it did.
    ...(state === 'deploying'
      ? []
      : [entry('proposal.advanced', { to: state }, { atMs: changedAtMs })]),
    ...(learnt === state ? [entry('learn.fix_recorded', {}, { atMs: changedAtMs })] : []),
  ];
}

const asEntry = ({ type, actor, subject, data, atMs }: EntryDraft): Entry =>
  ({ v: 1, at: isoTime(atMs ?? 0), type, actor, subject, data, artifacts: [] }) as unknown as Entry;

/** After a step of this unit was committed: what is broken now, of V5 to V10. `rests`: nothing is due for it any more. */
export async function brokenSince(
  work: Pick<Work, 'kind' | 'subject'>,
  { plan, rests, data }: { plan: Plan; rests: boolean; data: unknown },
  ports: LoopPorts,
): Promise<readonly Violation[]> {
  const entries = (plan.entries ?? []).map(asEntry);
  const found =
    work.kind === 'cycle'
      ? await ofCycle(work.subject, entries, ports)
      : await ofProposal(work.subject, { entries, rests, data: data as ProposalData }, ports);
  return found.filter(({ invariant }) => !STOPPING.includes(invariant));
}

/** V5, V6 and V10 of what it proposed, V7 of what it costs and of others beside it, V8 of its end. */
async function ofCycle(
  cycle: string,
  entries: readonly Entry[],
  ports: LoopPorts,
): Promise<Violation[]> {
  const { store, telemetry } = ports;
  const made = entries.filter(({ type }) => type === 'proposal.created');
  const contents = new Map<string, ProposalContent>();
  for (const { subject } of made) {
    const { proposal, content } = await readDossier(store, subject.replace(/^proposal:/, ''));
    contents.set(proposal.digest, content);
  }
  const shares = (await readSources(telemetry)).flatMap(({ overheadShare: share }) =>
    share === null ? [] : [share],
  );
  const others = (await listCycles(store, RUNNING_MAX)).filter(
    ({ id, outcome }) => outcome === null && id !== cycle,
  );
  return [
    ...checkInvariants({
      entries,
      content: (digest) => contents.get(digest),
      ...(await known([...contents.values()], ports)),
      overheadShare: shares.length === 0 ? null : Math.max(...shares),
      rollbackMs: Number.POSITIVE_INFINITY,
    }),
    ...others.map(({ id }) => ({
      invariant: 'V7' as const,
      subject: `cycle:${id}`,
      text: `it runs beside ${cycle}`,
    })),
  ];
}

/** One more than there may be says enough. */
const RUNNING_MAX = 10;

/** V5, V6 and V10 where its content is new, V8 where it is over, V9 where it was taken back. */
async function ofProposal(
  id: string,
  { entries, rests, data }: { entries: readonly Entry[]; rests: boolean; data: ProposalData },
  ports: LoopPorts,
): Promise<Violation[]> {
  const isNew = entries.some(({ type }) => type === 'proposal.amended');
  const isBack = entries.some(
    ({ type, data: said }) =>
      type === 'proposal.attested' && said['kind'] === 'rollback' && said['verdict'] === 'done',
  );
  if (!isNew && !isBack && !rests) return [];
  const dossier = await readDossier(ports.store, id);
  const { proposal, content } = dossier;
  const found = checkInvariants({
    entries: storyOf(dossier, data.learnt),
    content: (digest) => (digest === proposal.digest ? content : undefined),
    ...(isNew
      ? await known([content], ports)
      : { pattern: () => undefined, eventExists: () => true }),
    overheadShare: null,
    rollbackMs: ports.config.deploy.rollbackTimeout,
  });
  return found.filter(({ invariant }) => {
    if (invariant === 'V5' || invariant === 'V6' || invariant === 'V10') return isNew;
    if (invariant === 'V9') return isBack;
    return invariant === WARNS && rests;
  });
}

/** What the contents name, as it is in the store. */
async function known(contents: readonly ProposalContent[], { store, telemetry }: LoopPorts) {
  const view = new Telemetry(telemetry);
  const patterns = new Map<string, Pattern>();
  const events = new Set<string>();
  for (const { patternId, evidence } of contents) {
    const pattern = patternId === null ? undefined : await readPattern(store, patternId);
    if (pattern !== undefined) patterns.set(pattern.id, pattern);
    for (const reference of evidence) {
      const event = await view.event(reference.replace(/^event:/, ''));
      if (event !== undefined) events.add(reference);
    }
  }
  return {
    pattern: (id: string) => patterns.get(id),
    eventExists: (reference: string) => events.has(reference),
  };
}

/** On record and told, each once. */
export function brokenPlan(
  violations: readonly Violation[],
  { config, nowMs }: { config: LoopPorts['config']; nowMs: number },
): Plan {
  return {
    entries: violations.map(({ invariant, subject, text }) => ({
      type: 'loop.invariant_broken' as const,
      actor: SYSTEM,
      subject,
      data: { invariant, text: recordedText(text) },
      atMs: nowMs,
    })),
    effects: violations.flatMap(({ invariant, subject, text }) =>
      noticeEffects(
        {
          key: `invariant/${invariant}/${subject}/${sha256Hex(text).slice(0, 16)}`,
          to: 'operator',
          severity: invariant === WARNS ? 'medium' : 'critical',
          title: `${invariant} does not hold for ${subject}`,
          text: `${text}. Look: hone ledger show --subject ${subject}`,
          step: 'monitor',
        },
        channelsOf(config.notify),
      ),
    ),
  };
}
