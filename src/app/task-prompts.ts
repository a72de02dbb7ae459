/** The instruction files of a task's agents: attested when it begins, compared at each step, accepted by a person. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ownWords } from '../base/index.ts';
import type { ShownTask, TaskReleaseInput } from '../contracts/task.ts';
import type { Actor } from '../facts/index.ts';
import { findTask, type PromptDrift, type Task } from '../process/index.ts';
import {
  digestsOf,
  driftOf,
  type InstructionFiles,
  planAttest,
  readAttested,
} from '../prompt/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { decisionMaker } from './decision-maker.ts';
import type { Refusal } from './refusal.ts';
import { CHANGED, shownTask } from './task-work.ts';

const BYTES_MAX = 1024 * 1024;

/** As the agents find them; a bare repository has no working tree, and so none. */
async function filesOf({ home, config }: Opened): Promise<InstructionFiles> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const path of config.prompt.files)
    found.set(path, home.isBare ? undefined : await bytesOf(join(home.root, path)));
  return digestsOf(found);
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

export async function attestFiles(opened: Opened, taskId: string, actor: Actor): Promise<void> {
  const { store } = opened;
  const reason = ownWords('The task begins.');
  const [files, nowMs] = [await filesOf(opened), await store.nowMs()];
  await store.commit(planAttest({ taskId, before: undefined, files, reason, actor, nowMs }));
}

export interface PromptsNow {
  readonly drift: readonly PromptDrift[];
  /** Of the attested files, for the journal. */
  readonly digests: readonly string[];
}

export async function promptsOf(opened: Opened, task: Pick<Task, 'id'>): Promise<PromptsNow> {
  const attested = await readAttested(opened.store, task.id);
  if (attested === undefined) return { drift: [], digests: [] };
  const digests = Object.values(attested.files).filter((one) => one !== null);
  return { drift: driftOf(attested, await filesOf(opened)), digests };
}

/** What is there now is the next version. Only a person says so. */
export function acceptPrompts(
  context: AppContext,
  given: string,
  { reason }: TaskReleaseInput,
): Promise<ShownTask | Refusal> {
  return withOpened(context, async (opened): Promise<ShownTask | Refusal> => {
    const { store } = opened;
    const maker = await decisionMaker(context, opened);
    if ('refused' in maker) return maker;
    const task = await findTask(store, given);
    const before = await readAttested(store, task.id);
    const files = await filesOf(opened);
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
