import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCorpus } from './nab-corpus.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nab-corpus-'));
  mkdirSync(join(folder, 'group'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(rows: readonly string[], windows: readonly (readonly [string, string])[]): void {
  writeFileSync(join(folder, 'group/one.csv'), ['timestamp,value', ...rows, ''].join('\n'));
  writeFileSync(join(folder, 'windows.json'), JSON.stringify({ 'group/one.csv': windows }));
}

const ROWS = ['2014-04-01 00:00:00,1.5', '2014-04-01 00:05:00,', '2014-04-01 00:10:00,-2'];

describe('reading labelled streams', () => {
  it('reads times as UTC, an empty value as a gap, and windows as indices', () => {
    write(ROWS, [['2014-04-01 00:05:00.000000', '2014-04-01 00:10:00.000000']]);
    const [series] = readCorpus(folder);
    expect(series!.name).toBe('group/one.csv');
    expect(series!.timesMs[1]! - series!.timesMs[0]!).toBe(300_000);
    expect([...series!.values]).toEqual([1.5, Number.NaN, -2]);
    expect(series!.windows).toEqual([{ first: 1, last: 2 }]);
  });

  it('takes the nearest rows inside when a limit names none', () => {
    write(ROWS, [['2014-04-01 00:01:00', '2014-04-01 00:59:00']]);
    expect(readCorpus(folder)[0]!.windows).toEqual([{ first: 1, last: 2 }]);
  });

  it('refuses a window that lies outside the file', () => {
    write(ROWS, [['2015-01-01 00:00:00', '2015-01-02 00:00:00']]);
    expect(() => readCorpus(folder)).toThrow(/not in the file/);
  });
});
