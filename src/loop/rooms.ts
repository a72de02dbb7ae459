/**
 * The rooms' ports, adapted: what one room asks for, another's view answers. One `Rooms` is made for each
 * step, with the time at which the step began.
 */
import { type ApprovePorts, AUTOMATIC_TIERS, type TierSettings } from '../approve/index.ts';
import { readArtifact } from '../artifact/index.ts';
import type { Clock, Log, NewId } from '../base/index.ts';
import {
  beforeDecision,
  type DeployPorts,
  type Forge,
  movedAtMs,
  openForge,
  wasOvertaken,
} from '../deploy/index.ts';
import { type DiagnosePorts, knownPatterns, readPattern } from '../diagnose/index.ts';
import type { EffectDraft, Pattern, ProposalState, Target } from '../facts/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import type { Excuse } from '../learn/index.ts';
import { recordedKeys } from '../ledger/index.ts';
import { blameOf, type Fate, type MonitorPorts } from '../monitor/index.ts';
import { channelsOf, type Notice, noticeEffects, type Told, tellNews } from '../notify/index.ts';
import { type Collected, Collector, Telemetry } from '../observe/index.ts';
import { Switches } from '../policy/index.ts';
import {
  countProposals,
  type Dossier,
  type GateSettings,
  isReleased,
  OPEN_STATES,
  type ProposalStep,
  readAttestations,
  readProposal,
  rollbackCall,
} from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { REQUIRED_MODES, type ValidatePorts } from '../validate/index.ts';
import type { VetPorts } from '../vet/index.ts';
import { newsOf, type ProposedBySchedule, proposedNews } from './news.ts';
import { proveRows, type RowsProof } from './proven-rows.ts';
import { recordedBeforeMs } from './recorded-before.ts';
import type { HoneConfig } from './sections.ts';
import { isSignatureValid } from './signatures.ts';
import type { LoopPorts } from './types.ts';

const EVENTS_PER_PART = 20_000;

/** What the tier of a change depends on beside the change. */
export const TIER_SETTINGS: TierSettings = {
  automaticTiers: AUTOMATIC_TIERS,
  requiredModes: REQUIRED_MODES,
};

/** What steps are given. */
export interface Rooms {
  readonly nowMs: number;
  readonly store: Store;
  readonly repository: TargetRepository;
  readonly telemetry: Telemetry;
  readonly config: HoneConfig;
  readonly newId: NewId;
  /** For how long a step takes; `nowMs` is the time that it goes by. */
  readonly clock: Clock;
  readonly log: Log;
  readonly author: { readonly name: string; readonly email: string };
  readonly gate: GateSettings;
  /** Asked at the moment of each judgement. */
  readonly switches: Switches;
  /** The target branch's head. */
  head(): Promise<CommitId>;
  /** At most so many events, or all there are. */
  collect(signal: AbortSignal, budgetEvents?: number): Promise<Collected>;
  diagnose(): DiagnosePorts;
  vet(): Promise<VetPorts>;
  validate(): ValidatePorts;
  approve(): ApprovePorts;
  /** `signal`: whether the step was told to stop, asked right before the branch is moved. */
  deploy(signal: AbortSignal): DeployPorts;
  monitor(): MonitorPorts;
  /** Whether the rows behind the gate are what the ledger says. */
  proveRows(dossier: Dossier): Promise<RowsProof>;
  /** Whether the newest decision is signed by an allowed signer, over exactly what it says. */
  isSignatureValid(dossier: Dossier): Promise<boolean>;
  /** Why a change that did not stay is not to blame for it; undefined when it is, or stayed. */
  excuseOf(dossier: Dossier): Promise<Excuse | undefined>;
  /** What people are told about a step. */
  news(dossier: Dossier, step: ProposalStep): Told;
  /** What people are told about a cycle that a schedule began. */
  proposedNews(made: ProposedBySchedule): Told;
}

export class RoomMaker {
  readonly #ports: LoopPorts;
  readonly #collector: Collector;
  readonly #telemetry: Telemetry;
  readonly switches: Switches;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.switches = new Switches(ports.store, ports.config.switches);
    const { config, telemetry, files, log } = ports;
    this.#collector = new Collector({ store: telemetry, files, settings: config.observe, log });
    this.#telemetry = new Telemetry(telemetry);
  }

  get telemetry(): Telemetry {
    return this.#telemetry;
  }

  /**
   * Whoever reads everything reads it in parts: the collector serves one at a time, and a watch that wants
   * to look waits for one part, not for a backlog of days.
   */
  async collect(signal: AbortSignal, budgetEvents?: number): Promise<Collected> {
    if (budgetEvents !== undefined) return this.#collector.collect({ signal, budgetEvents });
    let all: Collected | undefined;
    for (;;) {
      const part = await this.#collector.collect({ signal, budgetEvents: EVENTS_PER_PART });
      all = all === undefined ? part : joined(all, part);
      if (part.more) this.#ports.onStep?.(`reading telemetry: ${all.events} events so far`);
      if (!part.more || signal.aborted) return all;
    }
  }

  async gate(): Promise<GateSettings> {
    const { config, killSwitch } = this.#ports;
    return {
      stopped: !(await killSwitch.allowedSteps()).includes('deploy'),
      ...TIER_SETTINGS,
      verification: config.identity.verification,
      target: targetOf(this.#ports),
      // Proven by whoever is about to act, right before it does.
      isSignatureValid: false,
      isRecordProven: false,
      expect: [killSwitch.notStopped()],
    };
  }

  async now(): Promise<Rooms> {
    const { store, repository, config, newId, clock, log } = this.#ports;
    const [nowMs, gate] = await Promise.all([store.nowMs(), this.gate()]);
    const telemetry = this.#telemetry;
    const { switches } = this;
    const author = { name: config.propose.authorName, email: config.propose.authorEmail };
    const branch = `refs/heads/${config.deploy.branch}`;
    const head = () => headOf(openForge(config.deploy.forge, { repository }), branch);
    const diffText = (digest: string) => textOf(store, digest);
    const patternOf = (id: string) => knownPattern(store, id);
    const notice: ApprovePorts['notice'] = (told) => this.#tell({ ...told, step: 'approve' });
    return {
      nowMs,
      store,
      repository,
      telemetry,
      config,
      newId,
      clock,
      log,
      author,
      gate,
      switches,
      head,
      collect: (signal, budgetEvents) => this.collect(signal, budgetEvents),
      diagnose: () => ({
        telemetry,
        known: () => knownPatterns(store),
        repository,
        branch: config.deploy.branch,
        head,
        agentFiles: config.target.agentFiles,
        limits: config.diagnose,
      }),
      vet: async () => ({
        diffText,
        limits: config.vet,
        openProposals: await openProposals(store),
        openProposalsMax: config.limits.openProposals,
        switches: {
          vetting: await switches.read('vetting'),
          limits: await switches.read('limits'),
        },
        eventExists: async (id) => (await telemetry.event(id)) !== undefined,
        patternOf,
        releasedByPerson: async (id, digest) =>
          isReleased(await readAttestations(store, id), digest),
        nowMs,
      }),
      validate: () => ({
        repository,
        diffText,
        replay: this.#ports.replay,
        agentFiles: config.target.agentFiles,
        sessions: (dossier) => this.#sessions(dossier, nowMs),
        nowMs,
        clock: this.#ports.clock,
        settings: config.validate,
      }),
      approve: () => ({
        nowMs,
        gate,
        askAgainAfterMs: config.approve.askAgainAfter,
        beforeDecision: async () => {
          const hindrance = await openForge(config.deploy.forge, { repository }).hindrance(branch);
          return [
            ...beforeDecision(config.deploy),
            ...(hindrance === undefined ? [] : [hindrance]),
          ];
        },
        notice,
      }),
      deploy: (signal) => ({
        store,
        repository,
        author,
        forge: config.deploy.forge,
        openForge: (name) => openForge(name, { repository }),
        branch,
        diffText,
        nowMs,
        stopped: async () =>
          signal.aborted || !(await this.#ports.killSwitch.allowedSteps()).includes('deploy'),
        rollbackTimeoutMs: config.deploy.rollbackTimeout,
        installation: async () => (await recordedKeys(store))[0],
      }),
      monitor: () => ({
        store,
        rates: (metric, window, scope) => telemetry.rates(metric, window, scope),
        agentOf: async ({ content }) =>
          content.pattern === null ? undefined : (await patternOf(content.pattern))?.agent,
        movedAtMs: (dossier) => movedAtMs(dossier, store),
        recordedBeforeMs: (dossier) => recordedBeforeMs(dossier, store, nowMs),
        fateOf: (id) => fateOf(store, id),
        nowMs,
        settings: config.monitor,
      }),
      proveRows: (dossier) => proveRows(dossier, this.#ports),
      isSignatureValid: (dossier) => isSignatureValid(dossier, this.#ports),
      excuseOf: (dossier) => excuseOf(store, dossier),
      news: (dossier, step) => this.news(dossier, step, nowMs),
      proposedNews: (made) => this.#tellNews(proposedNews(made, config.schedules), nowMs),
    };
  }

  /** What people are told about a step, also one that a person took. */
  news(dossier: Dossier, step: ProposalStep, nowMs: number): Told {
    return this.#tellNews(newsOf(dossier, step), nowMs);
  }

  #tell(notice: Notice): EffectDraft[] {
    return noticeEffects(notice, channelsOf(this.#ports.config.notify));
  }

  #tellNews(news: readonly Notice[], nowMs: number): Told {
    const channels = channelsOf(this.#ports.config.notify);
    const told = news.map((notice) => tellNews(notice, channels, nowMs));
    return {
      effects: told.flatMap(({ effects }) => effects),
      writes: told.flatMap(({ writes }) => writes),
    };
  }

  /** Recorded sessions that used what the change is about. */
  async #sessions({ content }: Dossier, nowMs: number): Promise<readonly string[]> {
    const pattern =
      content.pattern === null ? undefined : await knownPattern(this.#ports.store, content.pattern);
    if (pattern === undefined) return [];
    const { config } = this.#ports;
    // What a longer look back found is proven on those days too.
    const fromMs = Math.min(nowMs - config.diagnose.window, pattern.firstAtMs);
    const window = { fromMs, toMs: nowMs };
    const { agent, tool } = pattern;
    return this.#telemetry.sessions(window, { agent, tool }, config.validate.sessions);
  }
}

/** Where a change goes by the configuration in effect. */
export function targetOf({ repositoryId, config }: LoopPorts): Target {
  const { branch, forge } = config.deploy;
  return { repository: repositoryId, branch, forge };
}

function joined(one: Collected, other: Collected): Collected {
  const replaced: Record<string, number> = { ...one.replaced };
  for (const [kind, count] of Object.entries(other.replaced))
    replaced[kind] = (replaced[kind] ?? 0) + count;
  return {
    events: one.events + other.events,
    aside: one.aside + other.aside,
    bytes: one.bytes + other.bytes,
    more: other.more,
    replaced,
    notes: [...new Set([...one.notes, ...other.notes])].slice(0, 100),
  };
}

async function fateOf(store: Store, id: string): Promise<Fate> {
  // Not the content: what cannot be read of another change must not hold up taking this one back.
  const proposal = await readProposal(store, id);
  const attestations = await readAttestations(store, id);
  return {
    isWatched: proposal.state === 'monitoring',
    calledBackAtMs: rollbackCall(attestations, proposal.digest)?.atMs ?? null,
  };
}

async function excuseOf(store: Store, dossier: Dossier): Promise<Excuse | undefined> {
  const { state } = dossier.proposal;
  if (state === 'reverted' && (await blameOf(dossier, store)) === 'doubt') return 'doubt';
  return state === 'aborted' && (await wasOvertaken(dossier, store)) ? 'overtaken' : undefined;
}

async function textOf(store: Store, digest: string): Promise<string> {
  return Buffer.from((await readArtifact(store, digest)).content).toString();
}

async function knownPattern(store: Store, id: string): Promise<Pattern | undefined> {
  return readPattern(store, id);
}

async function headOf(forge: Forge, branch: string): Promise<CommitId> {
  const head = await forge.resolve(branch);
  if (head !== undefined) return head;
  const name = branch.slice('refs/heads/'.length);
  throw new Error(
    `The target repository has no commit on a branch ${name}: make one, or name another branch in deploy.branch of hone.yaml.`,
  );
}

async function openProposals(store: Store): Promise<number> {
  const counts = await countProposals(store);
  let open = 0;
  for (const [state, count] of Object.entries(counts))
    if (OPEN_STATES.includes(state as ProposalState)) open += count;
  return open;
}
