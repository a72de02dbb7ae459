import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Figure, makeContext } from '../tools/measure.ts';
import { measurement } from './logs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function figures(): Promise<Figure[]> {
  const all: Figure[] = [];
  for await (const figure of measurement.run(makeContext({ data: folder, quiet: true })))
    all.push(figure);
  return all;
}

it('scores every system and the mean over systems', async () => {
  const head = 'LineId,Content,EventId,EventTemplate\n';
  writeFileSync(
    join(folder, 'Right.csv'),
    `${head}1,took 5 ms,E1,took <*> ms\n2,"took 7 ms",E1,took <*> ms\n`,
  );
  writeFileSync(
    join(folder, 'Wrong.csv'),
    `${head}1,took 5 ms,E1,took 5 ms\n2,took 7 ms,E2,took 7 ms\n`,
  );
  const all = await figures();
  const value = (set: string, metric: string) =>
    all.find((figure) => figure.set === set && figure.metric === metric)?.value;
  for (const metric of ['ga', 'fga', 'pa', 'fta']) {
    expect(value('Right', metric)).toBe(1);
    expect(value('Wrong', metric)).toBe(0);
    expect(value('total', metric)).toBe(0.5);
  }
  expect(value('total', 'merge_ari')).toBe(1);
  expect(value('total', 'shuffle_ari')).toBe(1);
});

it('says when a folder or a file is not what it should be', async () => {
  await expect(figures()).rejects.toThrow(/no .csv files/);
  writeFileSync(join(folder, 'X.csv'), 'a,b\n1,2\n');
  await expect(figures()).rejects.toThrow(/no column Content/);
});
