/** The generated references say what the code says. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderConfigReference } from '../src/config/index.ts';
import { honeSections } from '../src/loop/sections.ts';
import { wireOf } from '../src/observe/index.ts';
import { jsonlEventSchema } from '../src/observe/sources/jsonl/wire-schema.ts';
import { commandReference } from '../tools/reference/commands.ts';
import { configDigestSource } from '../tools/reference/config-digest.ts';
import { EXAMPLES, eventReference } from '../tools/reference/events.ts';
import { httpReference } from '../tools/reference/http.ts';
import { postgresSchema, sqliteSchema } from '../tools/reference/schema.ts';
import { openTestStore } from './stores.ts';

const RENEW = 'It is stale: run "npm run generate" and look at what changed.';
const golden = (name: string) =>
  readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), 'utf8');

test('the configuration reference (CONFIG-1)', () => {
  expect(renderConfigReference(honeSections), RENEW).toBe(golden('configuration.md'));
});

test('what names every key and default', () => {
  const source = new URL('../src/loop/config-digest.ts', import.meta.url);
  const expected = configDigestSource(renderConfigReference(honeSections));
  expect(readFileSync(source, 'utf8'), RENEW).toBe(expected);
});

test('the command reference', () => {
  expect(commandReference(), RENEW).toBe(golden('commands.md'));
});

test('the reference of events, with an example of each type that is read (OBS-1)', () => {
  expect(eventReference(), RENEW).toBe(golden('events.md'));
  for (const event of Object.values(EXAMPLES))
    expect(jsonlEventSchema.safeParse(wireOf(event)).error).toBeUndefined();
});

test('the reference of the HTTP routes', () => {
  expect(httpReference(), RENEW).toBe(golden('http.md'));
});

test('STORE-3 the golden schema on SQLite', () => {
  expect(sqliteSchema(), RENEW).toBe(golden('schema-sqlite.md'));
});

test('STORE-3 the golden schema on PostgreSQL', async () => {
  await using opened = await openTestStore('postgres');
  expect(await postgresSchema(opened.place), RENEW).toBe(golden('schema-postgres.md'));
});
