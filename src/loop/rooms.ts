/**
 * The rooms' ports, adapted: what one room asks for, another's view answers. One `Rooms` is made for each
 * step, with the time at which the step began.
 */
import { type ApprovePorts, AUTOMATIC_TIERS } from '../approve/index.ts';
import { readArtifact } from '../artifact/index.ts';
import type { NewId } from '../base/index.ts';
import type { DeployPorts } from '../deploy/index.ts';
import { readPattern } from '../diagnose/index.ts';
import type { EffectDraft, Pattern, ProposalState } from '../facts/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import type { MonitorPorts } from '../monitor/index.ts';
import { noticeEffects } from '../notify/index.ts';
import { type Collected, Collector, Telemetry } from '../observe/index.ts';
import {
  countProposals,
  type Dossier,
  type GateSettings,
  OPEN_STATES,
  type ProposalStep,
} from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import type { ValidatePorts } from '../validate/index.ts';
import type { VetPorts } from '../vet/index.ts';
import { newsOf } from './news.ts';
import type { HoneConfig } from './sections.ts';
import type { LoopPorts } from './types.ts';

/** What steps are given. */
export interface Rooms {
  readonly nowMs: number;
  readonly store: Store;
  readonly repository: TargetRepository;
  readonly telemetry: Telemetry;
  readonly config: HoneConfig;
  readonly newId: NewId;
  readonly author: { readonly name: string; readonly email: string };
  readonly gate: GateSettings;
  /** The target branch's head. */
  head(): Promise<CommitId>;
  /** At most so many events, or all there are. */
  collect(signal: AbortSignal, budgetEvents?: number): Promise<Collected>;
  vet(): Promise<VetPorts>;
  validate(): ValidatePorts;
  approve(): ApprovePorts;
  /** `signal`: whether the step was told to stop, asked right before the branch is moved. */
  deploy(signal: AbortSignal): DeployPorts;
  monitor(): MonitorPorts;
  /** What people are told about a step. */
  news(dossier: Dossier, step: ProposalStep): readonly EffectDraft[];
}

export class RoomMaker {
  readonly #ports: LoopPorts;
  readonly #collector: Collector;
  readonly #telemetry: Telemetry;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    const { config, telemetry, files, log } = ports;
    this.#collector = new Collector({ store: telemetry, files, settings: config.observe, log });
    this.#telemetry = new Telemetry(telemetry);
  }

  get telemetry(): Telemetry {
    return this.#telemetry;
  }

  collect(signal: AbortSignal, budgetEvents?: number): Promise<Collected> {
    return this.#collector.collect({
      signal,
      ...(budgetEvents === undefined ? {} : { budgetEvents }),
    });
  }

  async gate(): Promise<GateSettings> {
    const { config, killSwitch } = this.#ports;
    return {
      stopped: !(await killSwitch.allowedSteps()).includes('deploy'),
      automaticTiers: AUTOMATIC_TIERS,
      verification: config.identity.verification,
      expect: [killSwitch.notStopped()],
    };
  }

  async now(): Promise<Rooms> {
    const { store, repository, config, newId } = this.#ports;
    const [nowMs, gate] = await Promise.all([store.nowMs(), this.gate()]);
    const telemetry = this.#telemetry;
    const author = { name: config.propose.authorName, email: config.propose.authorEmail };
    const branch = `refs/heads/${config.deploy.branch}`;
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
      author,
      gate,
      head: () => headOf(repository, branch),
      collect: (signal, budgetEvents) => this.collect(signal, budgetEvents),
      vet: async () => ({
        diffText,
        limits: config.vet,
        openProposals: await openProposals(store),
        openProposalsMax: config.limits.openProposals,
        eventExists: async (id) => (await telemetry.event(id)) !== undefined,
        patternOf,
        nowMs,
      }),
      validate: () => ({
        repository,
        diffText,
        replay: this.#ports.replay,
        sessions: (dossier) => this.#sessions(dossier, nowMs),
        nowMs,
        clock: this.#ports.clock,
        settings: config.validate,
      }),
      approve: () => ({ nowMs, gate, askAgainAfterMs: config.approve.askAgainAfter, notice }),
      deploy: (signal) => ({
        store,
        repository,
        author,
        branch,
        diffText,
        nowMs,
        stopped: async () =>
          signal.aborted || !(await this.#ports.killSwitch.allowedSteps()).includes('deploy'),
        rollbackTimeoutMs: config.deploy.rollbackTimeout,
      }),
      monitor: () => ({
        store,
        rates: (metric, window, scope) => telemetry.rates(metric, window, scope),
        agentOf: async ({ content }) =>
          content.pattern === null ? undefined : (await patternOf(content.pattern))?.agent,
        nowMs,
        settings: config.monitor,
      }),
      news: (dossier, step) => newsOf(dossier, step).flatMap((told) => this.#tell({ ...told })),
    };
  }

  #tell(notice: Parameters<typeof noticeEffects>[0]): EffectDraft[] {
    const { terminal, webhooks } = this.#ports.config.notify;
    return noticeEffects(notice, { terminal, webhooks: webhooks.map(({ name }) => name) });
  }

  /** Recorded sessions that used what the change is about. */
  async #sessions({ content }: Dossier, nowMs: number): Promise<readonly string[]> {
    const pattern =
      content.pattern === null ? undefined : await knownPattern(this.#ports.store, content.pattern);
    if (pattern === undefined) return [];
    const { config } = this.#ports;
    const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
    const { agent, tool } = pattern;
    return this.#telemetry.sessions(window, { agent, tool }, config.validate.sessions);
  }
}

async function textOf(store: Store, digest: string): Promise<string> {
  return Buffer.from((await readArtifact(store, digest)).content).toString();
}

async function knownPattern(store: Store, id: string): Promise<Pattern | undefined> {
  return readPattern(store, id);
}

async function headOf(repository: TargetRepository, branch: string): Promise<CommitId> {
  const head = await repository.resolve(branch);
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
