/** Targets, changes and replays for this room's tests. */
import { digestOfBytes, ManualClock } from '../base/index.ts';
import { composeSections } from '../config/index.ts';
import { type CommitId, memoryRepository, type TargetRepository } from '../git/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { makeCandidate } from './candidate.ts';
import { validateSection } from './config-section.ts';
import type { ModeCase } from './mode-contract.test-support.ts';
import { DIFF_MODE } from './modes.ts';
import type { CommandResult, TargetCommand, TargetRunner } from './target-runner/index.ts';
import type {
  DrawnSessions,
  Replay,
  ReplayOutcome,
  TouchedFile,
  ValidatePorts,
  ValidateSettings,
} from './types.ts';

export type Files = Readonly<Record<string, string | Uint8Array | null>>;

export const SETTINGS: ValidateSettings = composeSections([validateSection]).parse({}).validate;

async function commitFiles(
  repository: TargetRepository,
  base: CommitId | undefined,
  files: Files,
): Promise<CommitId> {
  const changes = Object.entries(files).map(([path, text]) => ({
    path,
    content: text === null ? null : Buffer.from(text),
  }));
  const tree = await repository.writeFiles(base, changes);
  const author = { name: 'operator', email: 'operator@example.org', atMs: 1_000_000 };
  const parents = base === undefined ? [] : [base];
  return repository.commit({ tree, parents, message: 'change\n', author });
}

export interface Target {
  readonly repository: TargetRepository;
  readonly base: CommitId;
  readonly diff: string;
}

/** A repository with some files, and the patch that git would write to others. */
export async function makeTarget(before: Files, after: Files): Promise<Target> {
  const repository = memoryRepository();
  const base = await commitFiles(repository, undefined, { README: 'target\n', ...before });
  const diff = await repository.diff(base, await commitFiles(repository, base, after));
  return { repository, base, diff };
}

export async function touched(before: Files, after: Files): Promise<readonly TouchedFile[]> {
  return touchedBy(await makeTarget(before, after));
}

export async function touchedBy(target: Target): Promise<readonly TouchedFile[]> {
  const { repository, base, diff } = target;
  const content = { baseCommit: base, diffDigest: digestOfBytes(diff) };
  const made = await makeCandidate(content, { repository, diffText: async () => diff });
  if (!made.ok) throw new Error(made.why);
  return made.files;
}

export function dossierOf({ base, diff }: Pick<Target, 'base' | 'diff'>): Dossier {
  return {
    proposal: {
      id: 'p1',
      version: 3,
      state: 'validating',
      digest: digestOfBytes('content'),
      title: 'Wait longer',
      createdAtMs: 0,
      changedAtMs: 0,
    },
    content: {
      title: 'Wait longer',
      type: 'constant_tune',
      category: 'bugfix',
      severity: 'medium',
      risk: 'low',
      diffDigest: digestOfBytes(diff),
      baseCommit: base,
      files: ['agents/search.yaml'],
      change: {
        kind: 'set_value',
        file: 'agents/search.yaml',
        path: ['tools', 'search', 'timeout_ms'],
        from: 1000,
        to: 3000,
      },
      reach: null,
      rationale: 'It times out.',
      rootCause: 'The limit is low.',
      riskAndMitigation: 'Slower; watched.',
      rollback: 'Revert.',
      validationPlan: 'Replay.',
      evidence: ['event:1'],
      patternId: null,
      proposer: { kind: 'system', id: 'hone', verified: 'local' },
    },
    attestations: [],
  };
}

export function sessionNames(n: number): string[] {
  return Array.from({ length: n }, (_, index) => `session-${index}`);
}

/** As they were recorded: unless it is said otherwise, every tenth failed. */
export function drawn(
  names: readonly string[],
  {
    failed = (id) => id.endsWith('0'),
    overdrawn = 1,
    perHour = 0,
  }: { failed?: (id: string) => boolean; overdrawn?: number; perHour?: number } = {},
): DrawnSessions {
  return { sessions: names.map((id) => ({ id, failed: failed(id) })), overdrawn, perHour };
}

export type Answer = (session: string, commit: CommitId, call: number) => boolean;

export function scriptedReplay(answer: Answer): Replay & { readonly commits: CommitId[] } {
  const commits: CommitId[] = [];
  return {
    commits,
    commands: [],
    async run(commit, sessions): Promise<readonly ReplayOutcome[]> {
      const call = commits.push(commit);
      return sessions.map((session) => {
        const ok = answer(session, commit, call);
        return { session, ok, error: ok ? null : 'timeout' };
      });
    },
  };
}

export function portsOf(target: Target, more: Partial<ValidatePorts> = {}): ValidatePorts {
  return {
    repository: target.repository,
    diffText: async () => target.diff,
    replay: undefined,
    runner: undefined,
    cases: async (_, sessions) =>
      sessions.map((id) => ({ id, agent: null, task: null, events: [], cut: false })),
    calls: async () => [],
    agentFiles: ['agents/**'],
    sessions: async () => drawn(sessionNames(100)),
    clock: new ManualClock(),
    nowMs: 5,
    settings: SETTINGS,
    ...more,
  };
}

const VERDICTS = { validated: 'passed', failed: 'failed', inconclusive: 'inconclusive' } as const;

/** What the modes left behind, put together: a part for each mode, also for one that was not run. */
export function reportsOf(step: ProposalStep) {
  const files = (step.attestations ?? []).map((one) =>
    (one.files ?? []).map(({ content }) => Buffer.from(content).toString()),
  );
  const reports = files.map(([json]) => JSON.parse(json!));
  const parts = [DIFF_MODE, 'policy', 'syntax', 'replay'].map((mode) => {
    const report = reports.find((one) => one.mode === mode);
    if (report === undefined) return { part: mode, outcome: 'not_run', reasons: [] };
    return { part: mode, outcome: report.verdict, reasons: report.reasons, ...report.found };
  });
  const json = {
    candidate: reports[0]?.candidateCommit ?? null,
    verdict: VERDICTS[step.to as keyof typeof VERDICTS],
    improvesTarget: reports.find((one) => one.mode === 'replay')?.improvesTarget ?? null,
    reports,
    parts,
  };
  return { json, text: files.map(([, text]) => text).join('') };
}

/** A change as a mode is asked about it, with the ports of this room's tests. */
export async function modeCase(
  before: Files,
  after: Files,
  more: (target: Target) => Partial<ValidatePorts> = () => ({}),
): Promise<ModeCase> {
  const target = await makeTarget(before, after);
  const dossier = dossierOf(target);
  const ports = portsOf(target, more(target));
  const made = await makeCandidate(dossier.content, ports);
  if (!made.ok) throw new Error(made.why);
  const { commit: candidate, files } = made;
  return { change: { dossier, base: target.base, candidate, files }, ports };
}

const KEPT = {
  wallMs: 'timer',
  cpuSeconds: 'rlimit',
  memoryBytes: 'cgroup',
  processes: 'cgroup',
  fileBytes: 'rlimit',
  scratchBytes: 'tmpfs',
  outputBytes: 'watched',
  openFiles: 'rlimit',
} as const;

export interface ScriptedRun {
  readonly commit: CommitId;
  readonly command: TargetCommand;
  /** From 1, of this commit. */
  readonly call: number;
}

/** Runs nothing: answers as told, by default that all is well. */
export function scriptedRunner(
  answer: (run: ScriptedRun) => Partial<Omit<CommandResult, 'output' | 'messages'>> & {
    readonly output?: string;
    readonly messages?: string;
  },
): TargetRunner & { readonly ran: ScriptedRun[] } {
  const ran: ScriptedRun[] = [];
  return {
    ran,
    probe: async () => ({ available: true, version: '0', kept: KEPT }),
    runTool: async () => undefined,
    async open({ commit }) {
      let call = 0;
      return {
        async run(command) {
          const one = { commit, command, call: ++call };
          ran.push(one);
          const { output = '', messages = '', ...more } = answer(one);
          return {
            ended: 'exited',
            exitCode: 0,
            wallMs: 5,
            memoryBytes: 1000,
            kept: KEPT,
            output: Buffer.from(output),
            messages: Buffer.from(messages),
            ...more,
          };
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}
