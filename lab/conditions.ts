/** Whether a condition of a scenario holds for a session: by the target's files, by who it is, by the time. */
import { amountIn, findPlace, numberIn, type TargetFiles } from './places.ts';
import type { Condition } from './schema-parts.ts';

export interface Situation {
  readonly files: TargetFiles;
  readonly agent: string;
  readonly task: string;
  readonly model: string | undefined;
  readonly atMs: number;
}

export function holds(conditions: readonly Condition[] | undefined, at: Situation): boolean {
  return conditions === undefined || conditions.every((one) => isMet(one, at));
}

function isMet(condition: Condition, { files, agent, task, model, atMs }: Situation): boolean {
  const { agents, tasks, models, weekdays, hours } = condition;
  const date = new Date(atMs);
  return (
    (agents === undefined || agents.includes(agent)) &&
    (tasks === undefined || tasks.includes(task)) &&
    (models === undefined || (model !== undefined && models.includes(model))) &&
    (weekdays === undefined || weekdays.includes(date.getUTCDay())) &&
    (hours === undefined || hours.includes(date.getUTCHours())) &&
    (condition.file === undefined || isSaid(condition, files))
  );
}

/** The files of a commit do not change, so each question is answered once for them. */
const answers = new WeakMap<TargetFiles, Map<Condition, boolean>>();

function isSaid(condition: Condition, files: TargetFiles): boolean {
  const known = answers.get(files) ?? new Map<Condition, boolean>();
  answers.set(files, known);
  const answer = known.get(condition) ?? readFiles(condition, files);
  known.set(condition, answer);
  return answer;
}

function readFiles(condition: Condition, files: TargetFiles): boolean {
  const { file, contains, lacks, is, not, above, below } = condition;
  const text = files.get(file!) ?? '';
  if (contains !== undefined && !new RegExp(contains, 'm').test(text)) return false;
  if (lacks !== undefined && new RegExp(lacks, 'm').test(text)) return false;
  if (condition.path === undefined && condition.match === undefined) return true;
  const value = findPlace(files, { ...condition, file: file! })?.value;
  const number = numberIn(value) ?? amountIn(value);
  if (is !== undefined && String(value) !== String(is)) return false;
  if (not !== undefined && String(value) === String(not)) return false;
  if (above !== undefined && !(number !== undefined && number > above)) return false;
  return below === undefined || (number !== undefined && number < below);
}
