import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../src/base/index.ts';
import { applyCommit, filesWithoutHone } from './commits.ts';
import { FleetRun } from './fleet-run.ts';
import type { LabInstallation } from './installation.ts';
import { sameFiles } from './judge.ts';
import { randomWorld } from './random/world.ts';
import type { Scenario } from './scenario.ts';

test('two commits of one moment are one piece of news: none of them is taken for a change of Hone', async () => {
  const world = randomWorld(4);
  const edit = (file: string) => ({ file, from: '', to: 'x' });
  const commit = { at_hour: 0, minute: 5, author: 'Maintainer', message: 'Tidy' };
  const [one, other] = Object.keys(world.files!);
  const scenario: Scenario = {
    ...world,
    commits: [
      { ...commit, edits: [edit(one!)] },
      { ...commit, edits: [edit(other!)] },
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), 'hone-lab-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new ManualClock(Date.parse(scenario.start));
  let files = filesWithoutHone(scenario, clock.nowMs());
  const lab = {
    clock,
    telemetryFolder: folder,
    recording: undefined,
    files: async () => files,
    commit: async (made) => {
      files = applyCommit(files, made);
    },
  } as Partial<LabInstallation> as LabInstallation;
  const seen: boolean[] = [];
  const onCommit = async () => {
    seen.push(sameFiles(files, filesWithoutHone(scenario, clock.nowMs())));
  };
  await using run = new FleetRun({ lab, scenario, seed: 1, onCommit });
  run.isUp = false;
  await run.until(clock.nowMs() + 15 * 60_000);
  expect(seen).toEqual([true]);
});
