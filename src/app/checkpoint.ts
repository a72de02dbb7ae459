/** `hone checkpoint validate` (PROC-11): whether a task may call itself done at its commit. */
import type { Checkpoint } from '../contracts/task.ts';
import { evidenceOf } from '../evidence/index.ts';
import type { EvidenceFact, EvidenceKind } from '../facts/index.ts';
import { parsePatch } from '../git/index.ts';
import { findTask, type Task } from '../process/index.ts';
import { type AppContext, type Opened, type OpenLoop, withLoop } from './context.ts';
import { type Refusal, usage } from './refusal.ts';
import { configuredKinds } from './task-work.ts';

type Check = Checkpoint['checks'][number];

export function validateCheckpoint(
  context: AppContext,
  given: string,
): Promise<Checkpoint | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<Checkpoint | Refusal> => {
    const { store, config } = opened;
    const task = await findTask(store, given);
    if (task.commit === null) return usage('The task has no commit yet: commit your work first.');
    const evidence = await evidenceOf(store, task.id);
    const nowMs = await store.nowMs();
    const newest = (kind: EvidenceKind) =>
      evidence.findLast((one) => one.kind === kind && one.origin === 'own');
    const configured = configuredKinds(config);
    const result = (name: string, kind: EvidenceKind): Check =>
      resultCheck(name, newest(kind), { task, nowMs, maxAgeMs: config.evidence.maxAge });
    const checks = [
      result('tests', 'tests'),
      ...(configured.has('build') ? [result('build', 'build')] : []),
      await leftoverCheck({ opened, open, task }),
    ];
    return { task: task.id, commit: task.commit, ok: checks.every(({ ok }) => ok), checks };
  });
}

function resultCheck(
  name: string,
  newest: EvidenceFact | undefined,
  { task, nowMs, maxAgeMs }: { task: Task; nowMs: number; maxAgeMs: number },
): Check {
  const no = (why: string) => ({ name, ok: false, why });
  const run = `Run: hone evidence run ${task.id} --kind ${name}`;
  if (newest === undefined) return no(`Hone has not run it for this task. ${run}`);
  if (!newest.isValid) return no(newest.problem ?? 'It failed.');
  if (newest.commit !== task.commit) return no(`It was run on another commit. ${run}`);
  if (Math.abs(nowMs - newest.atMs) > maxAgeMs) return no(`It is too old. ${run}`);
  return { name, ok: true, why: `${newest.id} is right, at this commit, and fresh.` };
}

const SHOWN_MAX = 5;

/** Only in lines that the task added: what was there before is not its own. */
async function leftoverCheck({
  opened,
  open,
  task,
}: {
  readonly opened: Opened;
  readonly open: OpenLoop;
  readonly task: Task;
}): Promise<Check> {
  const name = 'leftovers';
  const words = opened.config.evidence.leftovers;
  const diff = await open.ports.repository.diff(task.baseCommit ?? task.commit!, task.commit!);
  if (diff === '') return { name, ok: false, why: 'The task has changed nothing since it began.' };
  const parsed = parsePatch(diff);
  if (!parsed.ok) return { name, ok: false, why: `Its change cannot be read: ${parsed.why}.` };
  const found = parsed.files.flatMap(({ path, hunks }) =>
    hunks.flatMap((hunk) =>
      hunk.lines
        .filter(([sign]) => sign === '+')
        .flatMap(([, text]) =>
          words.filter((word) => hasWord(text, word)).map((word) => `${word} in ${path}`),
        ),
    ),
  );
  if (found.length === 0) return { name, ok: true, why: 'None in what it added.' };
  const shown = [...new Set(found)].slice(0, SHOWN_MAX).join(', ');
  return { name, ok: false, why: `${found.length} left: ${shown}.` };
}

/** By itself, not inside of another word. */
function hasWord(line: string, word: string): boolean {
  const at = line.indexOf(word);
  if (at < 0) return false;
  const isLetter = (one: string | undefined) => one !== undefined && /[\p{L}\p{N}_]/u.test(one);
  return !isLetter(line[at - 1]) && !isLetter(line[at + word.length]);
}
