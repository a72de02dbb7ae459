/** What people commit to the target while Hone looks on: applied to any files, those with Hone's changes or without. */
import { HOUR_MS } from './arrivals.ts';
import type { TargetFiles } from './places.ts';
import type { Scenario } from './scenario-schema.ts';

export type PeopleCommit = NonNullable<Scenario['commits']>[number];

export interface DueCommit {
  readonly atMs: number;
  readonly commit: PeopleCommit;
}

/** In the order of their time. */
export function commitsOf({ commits, start }: Scenario): DueCommit[] {
  const startMs = Date.parse(start);
  return (commits ?? [])
    .map((commit) => ({
      atMs: startMs + commit.at_hour * HOUR_MS + commit.minute * 60_000,
      commit,
    }))
    .sort((a, b) => a.atMs - b.atMs);
}

export function applyCommit(
  files: TargetFiles,
  { files: written, edits }: PeopleCommit,
): TargetFiles {
  const after = new Map(files);
  for (const [path, text] of Object.entries(written ?? {})) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  for (const { file, from, to } of edits ?? []) {
    const text = after.get(file);
    if (text !== undefined)
      after.set(
        file,
        text.replace(from, () => to),
      );
  }
  return after;
}

/** What would stand on the branch at this time if Hone had changed nothing. */
export function filesWithoutHone(scenario: Scenario, atMs: number): TargetFiles {
  let files: TargetFiles = new Map(Object.entries(scenario.files));
  for (const due of commitsOf(scenario))
    if (due.atMs <= atMs) files = applyCommit(files, due.commit);
  return files;
}
