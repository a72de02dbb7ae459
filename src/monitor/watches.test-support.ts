/** A deployed proposal, a fleet whose counts are known for every minute, and a loop of three lines. */
import { expect } from 'vitest';
import { decision, draft, GATE, makeContent, validations } from '../../test/proposals.ts';
import type { TimedStore } from '../../test/timed-store.ts';
import { idMaker, type NewId, seededRandom } from '../base/index.ts';
import { composeSections } from '../config/index.ts';
import { type RateBin, type RecentCall, SYSTEM } from '../facts/index.ts';
import { latest, type ProposalStep, Proposals, planStep, readDossier } from '../proposal/index.ts';
import { monitorSection } from './config-section.ts';
import { type MonitorPorts, watch } from './index.ts';
import type { PeoplesCommit } from './peoples-commits.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const settings = composeSections([monitorSection]).parse({}).monitor;

export class Watched {
  readonly opened: TimedStore;
  readonly id: string;
  readonly deployedAtMs: number;
  readonly asked: { metric: string; agent: string | undefined; fromMs: number; toMs: number }[] =
    [];
  /** What one minute brings, for a metric and an agent. */
  minute: (
    atMs: number,
    metric: string,
    agent: string | undefined,
    tool?: string,
  ) => Omit<RateBin, 'atMs'> = () => ({
    bad: 0,
    all: 0,
  });
  agent: string | undefined;
  tool: string | undefined;
  callers: readonly string[] = [];
  calls: MonitorPorts['callsByTool'] = async () => [];
  hours: MonitorPorts['callHours'] = async () => [];
  sessions: MonitorPorts['sessionHours'] = async () => [];
  recent: ReadonlyMap<string, readonly RecentCall[]> = new Map();
  after: readonly string[] = [];
  served: readonly { tool: string; provider: string }[] = [];
  commits: readonly PeoplesCommit[] = [];
  settings = settings;
  movedAtMs: number | undefined;
  /** When the failure began that the change answers. */
  beganMs: number | undefined;
  readonly #newId;

  constructor(opened: TimedStore, id: string, newId: NewId) {
    this.opened = opened;
    this.id = id;
    this.deployedAtMs = Math.floor(opened.clock.nowMs() / MINUTE) * MINUTE;
    this.#newId = newId;
  }

  ports(): MonitorPorts {
    return {
      store: this.opened.store,
      nowMs: this.opened.clock.nowMs(),
      settings: this.settings,
      agentOf: async () => this.agent,
      toolOf: async () => this.tool,
      callersOf: async () => this.callers,
      callsByTool: async (window) => this.calls(window),
      callHours: async (window) => this.hours(window),
      sessionHours: async (window) => this.sessions(window),
      recentCalls: async () => this.recent,
      servedTools: async () => this.served,
      toolsAfter: async () => this.after,
      answers: async () =>
        this.agent === undefined
          ? undefined
          : { agent: this.agent, tool: this.tool, sinceMs: 0, beganMs: this.beganMs },
      peoplesCommits: async () => this.commits,
      movedAtMs: async () => this.movedAtMs,
      recordedBeforeMs: async () => undefined,
      fateOf: async (id) => {
        const { proposal, attestations } = await readDossier(this.opened.store, id);
        const call = latest(attestations, 'monitoring', proposal.digest);
        return {
          isWatched: proposal.state === 'monitoring',
          isAtTarget: ['monitoring', 'implemented'].includes(proposal.state),
          calledBackAtMs: call?.verdict === 'degraded' ? call.atMs : null,
        };
      },
      rates: async (metric, { fromMs, toMs }, { agent, tool }) => {
        this.asked.push({ metric, agent, fromMs, toMs });
        const bins: RateBin[] = [];
        for (let atMs = fromMs; atMs < toMs; atMs += MINUTE)
          bins.push({ atMs, ...this.minute(atMs, metric, agent, tool) });
        return bins;
      },
    };
  }

  async look(): Promise<ProposalStep> {
    return watch(await readDossier(this.opened.store, this.id), this.ports());
  }

  async take(step: ProposalStep): Promise<ProposalStep> {
    const { store, clock } = this.opened;
    const dossier = await readDossier(store, this.id);
    const context = { actor: SYSTEM, gate: GATE, nowMs: clock.nowMs(), newId: this.#newId };
    const planned = planStep(dossier, step, context);
    if ('refused' in planned) throw new Error(JSON.stringify(planned.refused));
    const { plan } = planned;
    const empty = (plan.writes ?? []).length === 0;
    if (!empty) expect(await store.commit(plan)).toEqual({ committed: true });
    return step;
  }

  /** Looks whenever it is due, until something other than waiting happens. */
  async until(stop: (step: ProposalStep) => boolean): Promise<ProposalStep> {
    for (let looks = 0; looks < 100; looks++) {
      const step = await this.take(await this.look());
      if (stop(step)) return step;
      this.opened.clock.advance(Math.max(0, step.dueAtMs! - this.opened.clock.nowMs()));
    }
    throw new Error('it never happened');
  }

  sinceMs(): number {
    return this.opened.clock.nowMs() - this.deployedAtMs;
  }

  async state() {
    return (await readDossier(this.opened.store, this.id)).proposal.state;
  }
}

/** Ids differ within a store. */
const worlds = new WeakMap<TimedStore, number>();

export async function deployed(
  opened: TimedStore,
  content: Parameters<typeof makeContent>[0] = {},
): Promise<Watched> {
  const { store, clock } = opened;
  const seed = (worlds.get(opened) ?? 2) + 1;
  // The first one has days behind it; the others come when they come.
  if (!worlds.has(opened)) clock.advance(3 * DAY + 17 * MINUTE + 12_345);
  worlds.set(opened, seed);
  const newId = idMaker(clock, seededRandom(seed));
  const proposals = new Proposals(store, newId);
  const { id, digest } = await proposals.create(makeContent(content));
  const go = async (to: Awaited<ReturnType<Watched['state']>>) =>
    expect(await proposals.advance(id, { to, actor: SYSTEM, reason: '', gate: GATE })).toEqual({
      done: true,
    });
  await proposals.attest(id, draft('vetting', 'passed', digest));
  for (const to of ['vetted', 'validating'] as const) await go(to);
  for (const one of validations('passed', digest)) await proposals.attest(id, one);
  for (const to of ['validated', 'pending'] as const) await go(to);
  await proposals.attest(id, decision(await readDossier(store, id)));
  await go('approved');
  await proposals.attest(id, draft('backup', 'made', digest));
  await go('deploying');
  await proposals.attest(id, draft('deployment', 'done', digest));
  await go('monitoring');
  return new Watched(opened, id, newId);
}

export const said = (step: ProposalStep) => step.attestations !== undefined;
