/** The house collects what every room brings: nothing is left out, and nothing is brought twice. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entryPayloads } from '../facts/schemas.ts';
import { MANIFESTS, type Manifest, makeProjections } from './manifests.ts';
import { honeSections } from './sections.ts';

const src = new URL('../', import.meta.url).pathname;
const manifests: readonly Manifest[] = MANIFESTS;
const names = manifests.map(({ name }) => name);

function repeated(all: readonly string[]): string[] {
  return all.filter((one, at) => all.indexOf(one) !== at);
}

describe('manifests', () => {
  test('every room.ts is in the list, under the name of its folder', () => {
    const folders = globSync('*/room.ts', { cwd: src }).map((file) => file.split('/')[0]!);
    expect(folders.sort()).toEqual(names.toSorted());
  });

  test('every section that a room writes down is collected', () => {
    const written = globSync('*/config-section.ts', { cwd: src }).map((file) => file.split('/')[0]);
    const collected = manifests.filter(({ sections }) => sections !== undefined);
    const missing = written.filter((room) => !collected.some(({ name }) => name === room));
    expect(missing).toEqual([]);
    expect(repeated(honeSections.map(({ key }) => key))).toEqual([]);
  });

  test('no schedule, gate or table is brought twice', () => {
    expect(
      repeated(manifests.flatMap((one) => one.schedules ?? []).map(({ name }) => name)),
    ).toEqual([]);
    expect(repeated(manifests.flatMap((one) => one.gates ?? []).map(({ name }) => name))).toEqual(
      [],
    );
    expect(repeated(makeProjections().flatMap(({ tables }) => tables))).toEqual([]);
  });

  test('LEDGER-4 a room that can be made anew from the ledger says so', () => {
    const written = globSync('*/rebuild.ts', { cwd: src }).map((file) => file.split('/')[0]!);
    const said = manifests.filter(({ projection }) => projection !== undefined);
    expect(said.map(({ name }) => name).sort()).toEqual(written.sort());
  });

  test('the first word of every entry type is a room', () => {
    const rooms = Object.keys(entryPayloads).map((type) => type.split('.')[0]!);
    expect(rooms.filter((room) => !existsSync(join(src, room)))).toEqual([]);
  });
});
