/** The instruction files of a task's agents: attested when it begins, compared at each step, accepted by a person. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ownWords } from '../base/index.ts';
import type { ShownTask, TaskPrompt, TaskReleaseInput } from '../contracts/task.ts';
import type { Actor } from '../facts/index.ts';
import { findTask, type PromptDrift, readDefinition, type Task } from '../process/index.ts';
import {
  type CompiledPrompt,
  compilePrompt,
  digestsOf,
  driftOf,
  type InstructionFiles,
  type NamedText,
  planAttest,
  readAttested,
} from '../prompt/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import type { Refusal } from './refusal.ts';
import { CHANGED, shownTask } from './task-work.ts';

const BYTES_MAX = 1024 * 1024;

/** Instruction files and what is compiled for each phase, as the agents find them. */
async function filesOf(opened: Opened, task: Task): Promise<InstructionFiles> {
  const { config, store } = opened;
  const found = new Map<string, Uint8Array | undefined>();
  for (const path of config.prompt.files) found.set(path, await partOf(opened, path));
  const { phases } = await readDefinition(store, task.definitionDigest);
  const compiled: [string, string][] = [];
  for (const { name } of phases) {
    const { text, promptDigest } = await compiledFor(opened, task, name);
    if (text !== '') compiled.push([`prompt:${name}`, promptDigest]);
  }
  return { ...digestsOf(found), ...Object.fromEntries(compiled) };
}

/** A bare repository has no working tree, and so no files. */
const partOf = ({ home }: Opened, path: string) =>
  home.isBare ? Promise.resolve(undefined) : bytesOf(join(home.root, path));

/** What the task's agent is told in a phase, by the accepted configuration and the files as they are. */
async function compiledFor(
  opened: Opened,
  { persona }: Pick<Task, 'persona'>,
  phase: string,
): Promise<CompiledPrompt & { readonly missing: readonly string[] }> {
  const { parts, personas } = opened.config.prompt;
  const spec = personas.find(({ name }) => name === persona?.name);
  const missing: string[] = [];
  const textOf = async (path: string | undefined) => {
    if (path === undefined || path === '') return undefined;
    const bytes = await partOf(opened, path);
    if (bytes === undefined) missing.push(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  };
  const named = async (names: readonly string[], paths: Readonly<Record<string, string>>) => {
    const all: NamedText[] = [];
    for (const name of names) {
      // A name that the parts do not have is as missing as a file.
      if (!Object.hasOwn(paths, name)) missing.push(name);
      else all.push({ name, text: (await textOf(paths[name])) ?? '' });
    }
    return all;
  };
  const [role] = await named(Object.hasOwn(parts.roles, phase) ? [phase] : [], parts.roles);
  const compiled = compilePrompt({
    core: await textOf(parts.core),
    role,
    overlays: await named(spec?.overlays ?? [], parts.overlays),
    skills: await named(spec?.skills ?? [], parts.skills),
    rubric: await textOf(parts.rubric),
    anchors: await textOf(parts.anchors),
  });
  return { ...compiled, missing };
}

/** What the task's agent is to be told now, and whether that is what was attested. */
export function taskPrompt(context: AppContext, given: string): Promise<TaskPrompt | Refusal> {
  return withOpened(context, async (opened): Promise<TaskPrompt | Refusal> => {
    const task = await findTask(opened.store, given);
    const { text, promptDigest, missing } = await compiledFor(opened, task, task.phase);
    if (missing.length > 0)
      return { refused: `The prompt cannot be compiled: there is no ${missing.join(', ')}.` };
    const attested = await readAttested(opened.store, task.id);
    const isAttested = attested?.files[`prompt:${task.phase}`] === promptDigest;
    return { task: task.id, phase: task.phase, text, digest: promptDigest, isAttested };
  });
}

/** Links are followed, as clients follow them: what counts is what is read. */
async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, BYTES_MAX));
    await file.read(bytes, 0, bytes.length, 0);
    // What lies beyond is told by the size alone.
    return size > BYTES_MAX ? Buffer.concat([bytes, Buffer.from(String(size))]) : bytes;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

export async function attestFiles(opened: Opened, task: Task, actor: Actor): Promise<void> {
  const { store } = opened;
  const reason = ownWords('The task begins.');
  const [files, nowMs] = [await filesOf(opened, task), await store.nowMs()];
  const taskId = task.id;
  await store.commit(planAttest({ taskId, before: undefined, files, reason, actor, nowMs }));
}

export interface PromptsNow {
  readonly drift: readonly PromptDrift[];
  /** Of the attested files, for the journal. */
  readonly digests: readonly string[];
}

export async function promptsOf(opened: Opened, task: Task): Promise<PromptsNow> {
  const attested = await readAttested(opened.store, task.id);
  if (attested === undefined) return { drift: [], digests: [] };
  const digests = Object.values(attested.files).filter((one) => one !== null);
  return { drift: driftOf(attested, await filesOf(opened, task)), digests };
}

/** What is there now is the next version. Only a person says so. */
export function acceptPrompts(
  context: AppContext,
  given: string,
  { reason }: TaskReleaseInput,
): Promise<ShownTask | Refusal> {
  return withOpened(context, async (opened): Promise<ShownTask | Refusal> => {
    const { store } = opened;
    const task = await findTask(store, given);
    const subject = { kind: 'Task', id: task.id } as const;
    const maker = await authorise(context, opened, { action: 'accept_prompts', subject });
    if ('refused' in maker) return maker;
    const before = await readAttested(store, task.id);
    const files = await filesOf(opened, task);
    if (before !== undefined && driftOf(before, files).length === 0)
      return {
        refused: 'The instruction files are what was attested: there is nothing to accept.',
      };
    const { actor } = maker;
    const nowMs = await store.nowMs();
    const plan = planAttest({
      taskId: task.id,
      before,
      files,
      reason: recordedText(reason),
      actor,
      nowMs,
    });
    return (await store.commit(plan)).committed ? shownTask(task) : CHANGED;
  });
}
