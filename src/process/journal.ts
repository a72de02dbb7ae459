/** What a phase left behind, and what a person needs who is asked about a task: two artifacts. */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { type CleanText, canonicalJson, isoTime } from '../base/index.ts';
import type { EvidenceFact } from '../facts/index.ts';
import type { GateReason } from './advance-gate.ts';
import type { Task } from './types.ts';

interface PhaseDone {
  readonly task: Task;
  readonly to: string | null;
  readonly worker: string;
  /** Sanitised. */
  readonly summary: CleanText;
  /** All of the task's, in order. */
  readonly evidence: readonly EvidenceFact[];
  /** What the gate relied on. */
  readonly reliedOn: readonly EvidenceFact[];
  /** Compiled prompts and instruction files as they were attested, by digest. */
  readonly promptDigests: readonly string[];
  /** The span of the transition in the telemetry. */
  readonly spanId: string;
  readonly nowMs: number;
}

const shown = ({ id, kind, name, origin, manifestDigest }: EvidenceFact) => ({
  id,
  kind,
  manifestDigest,
  name,
  origin,
});

/** Inputs are what the phases before left; outputs what this one did. */
export function phaseJournal(done: PhaseDone): Artifact {
  const { task, to, worker, summary, evidence, reliedOn, promptDigests, spanId, nowMs } = done;
  const used = new Set(reliedOn.map(({ id }) => id));
  const outputs = evidence.filter(
    ({ phase, round }) => phase === task.phase && round === task.round,
  );
  const inputs = evidence.filter(({ phase }) => phase !== task.phase);
  return makeArtifact(
    // In the order of canonical JSON, which the engine then writes by itself.
    canonicalJson({
      beganAt: isoTime(task.progressedAtMs),
      commit: task.commit,
      endedAt: isoTime(nowMs),
      inputs: inputs.map(shown),
      next: to,
      outputs: outputs.map((one) => ({ ...shown(one), reliedOn: used.has(one.id) })),
      phase: task.phase,
      process: task.process,
      prompts: [...promptDigests],
      round: task.round,
      spanId,
      summary,
      task: task.id,
      worker,
    }),
    'application/json',
  );
}

/** What was tried and how often it was refused. */
export function loopDiary(
  task: Task,
  told: {
    readonly cause: string;
    readonly why: string;
    readonly reasons: readonly GateReason[];
    readonly nowMs: number;
  },
): Artifact {
  const { cause, why, reasons, nowMs } = told;
  return makeArtifact(
    canonicalJson({
      task: task.id,
      process: task.process,
      phase: task.phase,
      round: task.round,
      commit: task.commit,
      cause,
      why,
      at: isoTime(nowMs),
      lastProgressAt: isoTime(task.progressedAtMs),
      refusedSince: { ...task.violations },
      missing: reasons.map(({ code, about, why: words }) => ({ code, about, why: words })),
    }),
    'application/json',
  );
}
