/** Evidence of tasks and of validations: handed in, made by Hone itself, shown, verified. */
import { basename } from 'node:path';
import { ArtifactError, readArtifact } from '../artifact/index.ts';
import { isoTime } from '../base/index.ts';
import type {
  EvidenceAddInput,
  EvidenceRun,
  EvidenceRunInput,
  EvidenceShow,
  EvidenceShown,
  EvidenceVerify,
} from '../contracts/task.ts';
import {
  EvidenceError,
  type EvidenceFile,
  evidenceTextOf,
  findEvidence,
  makePack,
  type OwnCommand,
  type OwnRun,
  type PackInput,
  packParts,
  readEvidenceFile,
  readManifest,
  runOwn,
  verifyPack,
} from '../evidence/index.ts';
import type { Attestation, EvidenceFact, EvidenceKind, EvidenceNeed } from '../facts/index.ts';
import { absolute } from '../observe/index.ts';
import { findTask, readDefinition, spanOf, type Task } from '../process/index.ts';
import { findAttestation } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { NotRunnable } from '../validate/index.ts';
import { type AppContext, type Opened, type OpenLoop, withLoop, withOpened } from './context.ts';
import { isRefusal, type Refusal, usage } from './refusal.ts';
import {
  CHANGED,
  configuredKinds,
  shownEvidence,
  taskOnCommit,
  tasksOf,
  type Worker,
  workerOf,
} from './task-work.ts';
import { recordWork } from './work-telemetry.ts';

/** What somebody hands in is a claim: it opens nothing that needs proof. */
export function addEvidence(
  context: AppContext,
  given: string,
  input: Omit<EvidenceAddInput, 'file'> & { readonly file: string | EvidenceFile },
): Promise<EvidenceShown | Refusal> {
  return withOpened(context, async (opened): Promise<EvidenceShown | Refusal> => {
    const file = await givenFile(context, input.file);
    if (isRefusal(file)) return file;
    const doing = await workerOf(context, opened, input.worker);
    const task = await taskOnCommit(context, opened, { id: given, commit: input.commit, ...doing });
    if (isRefusal(task)) return task;
    const { kind } = input;
    const commit = kind === 'document' || kind === 'rubric' ? null : task.commit;
    return keepEvidence(context, opened, {
      task,
      doing,
      made: { kind, origin: 'claimed', commit, file },
    });
  });
}

/** By its path on this machine, or as it was sent. */
async function givenFile(
  { cwd, environment }: AppContext,
  given: string | EvidenceFile,
): Promise<EvidenceFile | Refusal> {
  if (typeof given === 'string')
    return readEvidenceFile(absolute(given, { cwd, home: environment['HOME'] }));
  const [name, text] = [basename(given.name), evidenceTextOf(Buffer.from(given.text))];
  return text === undefined ? usage('Evidence is text without zero bytes.') : { name, text };
}

type Made = Pick<PackInput, 'kind' | 'origin' | 'commit' | 'file' | 'run' | 'more'>;

/** Kept with the phase that the task is in, by its worker. */
export async function keepEvidence(
  context: AppContext,
  opened: Opened,
  { task, doing, made }: { readonly task: Task; readonly doing: Worker; readonly made: Made },
): Promise<EvidenceShown | Refusal> {
  const { store } = opened;
  if (task.state === 'done') return { refused: 'The task is done, and takes no more evidence.' };
  const place = { taskId: task.id, phase: task.phase, round: task.round, position: task.version };
  const need = await needOf(store, task, made);
  const pack = makePack({ id: context.newId('ev'), place, need, ...made });
  const nowMs = await store.nowMs();
  const parts = packParts(pack, place, { actor: doing.actor, nowMs });
  const kept = await tasksOf(context, opened).addEvidence(task, doing, {
    parts,
    isValid: pack.fact.isValid,
  });
  if (!kept.done) {
    if (kept.refused.why !== 'held') return CHANGED;
    const { holder, expiresAtMs } = kept.refused;
    const until = isoTime(expiresAtMs).slice(0, 16).replace('T', ' ');
    return { refused: `${holder} works on ${task.phase} until ${until} UTC.` };
  }
  return shownEvidence(task, { ...pack.fact, actor: doing.actor, atMs: nowMs });
}

/** By what the phase asks of such evidence it is judged; by its kind alone where the phase does not ask for it. */
async function needOf(store: Store, task: Task, { kind, file }: Made): Promise<EvidenceNeed> {
  const { phases } = await readDefinition(store, task.definitionDigest);
  const needs = phases
    .find(({ name }) => name === task.phase)!
    .gates.flatMap((gate) => gate.needs)
    .filter(({ evidence }) => evidence === kind);
  return needs.find(({ name }) => name === undefined || name === file.name) ?? { evidence: kind };
}

/** A run of Hone's own on a clean checkout of the task's commit, in the sandbox. */
export function runEvidence(
  context: AppContext,
  given: string,
  input: EvidenceRunInput,
): Promise<EvidenceRun | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<EvidenceRun | Refusal> => {
    const doing = await workerOf(context, opened, input.worker);
    const task = await taskOnCommit(context, opened, { id: given, commit: input.commit, ...doing });
    if (isRefusal(task)) return task;
    const kinds = input.kind === undefined ? await ownKinds(opened, task) : [input.kind];
    if (kinds.length === 0)
      return usage(
        `The phase ${task.phase} asks for nothing that Hone runs itself. Name it with --kind.`,
      );
    const evidence: EvidenceShown[] = [];
    for (const kind of kinds) {
      context.progress(`Making ${kind} …`);
      const made = await makeOwn({ opened, open, kind, task });
      if (isRefusal(made)) return made;
      const current = await findTask(opened.store, task.id);
      const kept = await keepEvidence(context, opened, { task: current, doing, made });
      if (isRefusal(kept)) return kept;
      evidence.push(kept);
      await tellVerified(context, open, { task, doing, kept, made });
    }
    return { evidence };
  });
}

async function ownKinds({ store, config }: Opened, task: Task): Promise<EvidenceKind[]> {
  const { phases } = await readDefinition(store, task.definitionDigest);
  const phase = phases.find(({ name }) => name === task.phase)!;
  const configured = configuredKinds(config);
  const needs = phase.gates
    .flatMap((gate) => gate.needs)
    .filter(({ own }) => own === true)
    .filter(({ evidence, ifConfigured }) => ifConfigured !== true || configured.has(evidence));
  return [...new Set(needs.map(({ evidence }) => evidence))];
}

interface Making {
  readonly opened: Opened;
  readonly open: OpenLoop;
  readonly kind: EvidenceKind;
  readonly task: Task;
}

async function makeOwn({ opened, open, kind, task }: Making): Promise<Made | Refusal> {
  const { commit, baseCommit } = task;
  if (commit === null) return usage('The task has no commit yet: commit your work first.');
  const { config, ports } = { config: opened.config, ports: open.ports };
  if (kind === 'diff') {
    const text = await ports.repository.diff(baseCommit ?? commit, commit);
    return { kind, origin: 'own', commit, file: { name: 'change.diff', text } };
  }
  const command = commandOf(kind, config);
  if ('refused' in command) return command;
  if (ports.runner === undefined) return { refused: 'Commands of the target are not run here.' };
  try {
    const where = { commit, base: baseCommit ?? commit };
    const done: OwnRun = await runOwn(ports.runner, where, command, new AbortController().signal);
    return { kind, origin: 'own', commit, ...done };
  } catch (error) {
    if (error instanceof NotRunnable)
      throw new EvidenceError('not_runnable', error.reasons.join(' '), {
        hint: '"hone doctor" says what the sandbox needs.',
      });
    throw error;
  }
}

function commandOf(
  kind: EvidenceKind,
  { validate, evidence }: Opened['config'],
): OwnCommand | Refusal {
  const timeoutMs = validate.testTimeout;
  const none = (key: string) =>
    usage(
      `The accepted configuration names no command for it: set ${key} in hone.yaml, then run "hone config accept".`,
    );
  if (kind === 'build')
    return evidence.build.length === 0
      ? none('evidence.build')
      : { argv: evidence.build, timeoutMs, report: '' };
  if (kind !== 'tests' && kind !== 'coverage') return usage(`Hone does not make a ${kind} itself.`);
  if (validate.test.length === 0) return none('validate.test');
  if (kind === 'tests') return { argv: validate.test, timeoutMs, report: validate.testReport };
  if (evidence.coverageReport === '') return none('evidence.coverageReport');
  return { argv: validate.test, timeoutMs, report: evidence.coverageReport };
}

async function tellVerified(
  context: AppContext,
  open: OpenLoop,
  told: {
    readonly task: Task;
    readonly doing: Worker;
    readonly kept: EvidenceShown;
    readonly made: Made;
  },
): Promise<void> {
  const { task, doing, kept, made } = told;
  const moment = {
    ...{ task, worker: doing.worker, session: undefined, spanId: context.newId('span') },
    atMs: context.clock.nowMs(),
  };
  await recordWork(context, open, [
    spanOf(moment, 'agent.verify', {
      success: kept.isValid,
      ...(made.run === undefined ? {} : { durationMs: made.run.wallMs }),
      ...(kept.problem === null
        ? {}
        : { errorCode: `${kept.kind}_failed`, errorMessage: kept.problem }),
    }),
  ]);
}

/** Of a task, or of the validation of a proposal: one room, one command. */
type Found =
  | { readonly of: 'task'; readonly task: Task; readonly fact: EvidenceFact }
  | { readonly of: 'validation'; readonly attestation: Attestation };

async function find(store: Store, given: string): Promise<Found> {
  const item = await findEvidence(store, given);
  if (item !== undefined)
    return { of: 'task', task: await findTask(store, item.taskId), fact: item.fact };
  const attestation = await findAttestation(store, given);
  if (attestation !== undefined) return { of: 'validation', attestation };
  throw new EvidenceError('unknown', `There is no evidence ${given}.`, {
    hint: '"hone task show" and "hone proposals show" list it.',
  });
}

export function showEvidence(context: AppContext, given: string): Promise<EvidenceShow> {
  return withOpened(context, async ({ store }): Promise<EvidenceShow> => {
    const found = await find(store, given);
    if (found.of === 'task') {
      const manifest = await readManifest(store, found.fact.manifestDigest);
      const evidence = shownEvidence(found.task, found.fact);
      const files = manifest.files.map((file) => ({ ...file }));
      return { of: 'task', evidence, attestation: null, files, found: { ...manifest.found } };
    }
    const { id, proposalId: proposal, kind, verdict, atMs, artifacts } = found.attestation;
    const mode = 'mode' in found.attestation ? String(found.attestation.mode) : kind;
    const files = await Promise.all(
      artifacts.map(async (digest) => {
        const { mediaType, content } = await readArtifact(store, digest);
        return { name: mode, digest, mediaType, sizeBytes: content.length };
      }),
    );
    const attestation = { id, proposal, mode, verdict, at: isoTime(atMs) };
    return { of: 'validation', evidence: null, attestation, files, found: {} };
  });
}

/** Every byte is read again, compared with its digest, and judged again. */
export function verifyEvidence(context: AppContext, given: string): Promise<EvidenceVerify> {
  return withOpened(context, async ({ store }): Promise<EvidenceVerify> => {
    const found = await find(store, given);
    if (found.of === 'task') {
      const { ok, problems } = await verifyPack(store, found.fact);
      return { id: found.fact.id, ok, problems };
    }
    const { id, artifacts } = found.attestation;
    const problems: string[] = [];
    for (const digest of artifacts)
      await readArtifact(store, digest).catch((error: unknown) => {
        if (!(error instanceof ArtifactError)) throw error;
        problems.push(error.message);
      });
    return { id, ok: problems.length === 0, problems };
  });
}
