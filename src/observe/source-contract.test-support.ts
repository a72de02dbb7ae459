/**
 * What every kind of source promises. A member's test calls it with a world: a place of its own that is empty at
 * first, and ways to write there as agents do. Sources that read files take `fileWorld`.
 */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyCharacter } from '../../test/any-character.ts';
import { canonicalJson } from '../base/index.ts';
import type { EventOf } from '../facts/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { sourceEntry } from './config-section.ts';
import { STATE_CHARS_MAX } from './files/decode-line.ts';
import {
  anyKey,
  collectorOf,
  everything,
  MemoryFiles,
  SETTINGS,
  START_MS,
  TABLES,
  telemetryPerTest,
} from './telemetry.test-support.ts';
import type { SourceCommands, SourceFiles, SourceKind } from './types.ts';

/** A call of a tool. It failed if it has a message. */
export interface ToldCall {
  readonly atMs: number;
  readonly session: string;
  readonly agent: string;
  readonly tool: string;
  readonly message?: string;
}

export interface SourceWorld {
  /** The entry's own keys. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly files: SourceFiles;
  readonly commands?: SourceCommands;
  /** Writes the calls behind what is there; with a number, in as many pieces, between which others may read. */
  tell(calls: readonly ToldCall[], pieces?: number): Iterable<void>;
  /** Writes what is no telemetry, ended in such a way that what follows can be read. */
  garble(text: string): void;
}

/** Files with this extension in a folder. `text` gives calls as an agent writes them, each line ended. */
export function fileWorld(format: {
  readonly extension: string;
  text(calls: readonly ToldCall[]): string;
}): SourceWorld {
  const name = `a.${format.extension}`;
  const files = new MemoryFiles().folder('logs', [name]);
  return {
    settings: { path: 'logs' },
    files,
    *tell(calls, pieces = 1) {
      const bytes = Buffer.from(format.text(calls));
      for (let piece = 0; piece < pieces; piece++) {
        const edge = (at: number) => Math.floor((bytes.length * at) / pieces);
        files.append(`logs/${name}`, bytes.subarray(edge(piece), edge(piece + 1)));
        yield;
      }
    },
    garble: (text) => void files.append(`logs/${name}`, `${text}\n`),
  };
}

const words = fc.stringMatching(/^[a-z]{1,12}$/);
const call = fc.record(
  {
    atMs: fc.integer({ min: START_MS - 3_600_000, max: START_MS }),
    session: words,
    agent: words,
    tool: words,
    message: fc.stringMatching(/^[a-z ,"'\\;\t]{0,60}[a-z]$/),
  },
  { requiredKeys: ['atMs', 'session', 'agent', 'tool'] },
);
const calls = fc.array(call, { minLength: 1, maxLength: 12 });
const RUNS = { numRuns: 12 };

export function sourceContract<Keys extends z.ZodRawShape>(
  kind: SourceKind<Keys>,
  makeWorld: () => SourceWorld,
  /** Kinds that it needs. */
  others: readonly SourceKind[] = [],
): void {
  const kinds = [kind as unknown as SourceKind, ...others];
  describe(`the contract of a source: ${kind.kind}`, () => {
    const open = telemetryPerTest('memory');

    /** A new world beside what was read before, as another source of the same store. */
    let made = 0;
    function world() {
      const { store } = open();
      const told = makeWorld();
      const name = `s${++made}`;
      const settings = { ...SETTINGS, sources: [{ name, kind: kind.kind, ...told.settings }] };
      const { commands } = told;
      const more = commands === undefined ? {} : { commands };
      const collector = (into: Store = store) =>
        collectorOf(into, told.files, { settings, kinds, ...more });
      const read = (budgetEvents?: number) =>
        collector().collect(budgetEvents === undefined ? {} : { budgetEvents });
      const kept = async () =>
        (
          await store.all('SELECT body FROM observe_events WHERE source = ? ORDER BY id', [name])
        ).map((row) => shown(JSON.parse(row['body'] as string)));
      return { ...told, name, store, collector, read, kept };
    }

    const all = ({ tell }: SourceWorld, given: readonly ToldCall[]) => void [...tell(given)];

    test('has a name and a clause for the reference, and says where it reads', () => {
      const { settings } = world();
      expect(kind.kind).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
      expect(kind.about).toMatch(/^[^\n]{10,200}[^.\n]$/);
      expect(kind.place(z.strictObject(kind.keys).parse(settings))).toMatch(/^\S[^\n]{0,999}$/);
    });

    test('its keys are checked by the configuration, and no others are taken', () => {
      const entry = sourceEntry(kinds);
      const { settings } = world();
      expect(entry.parse({ name: 'a', ...settings })).toMatchObject({ kind: kind.kind });
      expect(entry.safeParse({ name: 'a', ...settings, surprise: 1 }).success).toBe(false);
      for (const key of Object.keys(settings))
        expect(entry.safeParse({ name: 'a', ...settings, [key]: { odd: [] } }).success).toBe(false);
    });

    test('where nothing is yet, nothing is read and nothing breaks', async () => {
      expect(await world().read()).toMatchObject({ events: 0, aside: 0, more: false });
    });

    test('every call becomes one event with what was told of it', async () => {
      await fc.assert(
        fc.asyncProperty(calls, async (given) => {
          const source = world();
          all(source, given);
          expect(await source.read()).toMatchObject({ events: given.length, aside: 0 });
          expect(await source.kept()).toEqual(given.map(shown));
          expect(await source.read()).toMatchObject({ events: 0, aside: 0 });
        }),
        RUNS,
      );
    });

    test('written and read in pieces, by processes that begin anew, the same comes of it', async () => {
      const pieces = fc.integer({ min: 1, max: 9 });
      const budget = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
      await fc.assert(
        fc.asyncProperty(calls, pieces, budget, async (given, count, events) => {
          const source = world();
          for (const _ of source.tell(given, count)) await source.read(events);
          while ((await source.read(events)).more);
          expect(await source.kept()).toEqual(given.map(shown));
        }),
        RUNS,
      );
    });

    test('killed around any commit, or read by several at once, nothing is lost or doubled', async () => {
      const source = world();
      const given = fc.sample(calls, { seed: 7, numRuns: 6 }).flat();
      let kill = 0;
      for (const _ of source.tell(given, 8)) {
        const dying = source.collector(diesAtCommit(source.store, kill++ % 2 === 0));
        await dying.collect().catch((error) => expect(error).toMatchObject({ message: 'killed' }));
        await Promise.all([source.read(3), source.read(2), source.read()]);
      }
      await source.read();
      expect((await source.kept()).sort()).toEqual(given.map(shown).sort());
    });

    test('whatever stands there is set aside or passed over, and what follows is read', async () => {
      const odd = fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 300 }),
        fc.json({ maxDepth: 1 }),
        fc.constantFrom('[]', '{}', 'null', '""', '{"a":', '\ufeff', '\0', '"', ',,,,'),
      );
      const texts = fc.array(odd, { minLength: 1, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(texts, calls, async (before, given) => {
          const source = world();
          all(source, given);
          for (const text of before) source.garble(text.replaceAll('\n', ' '));
          all(source, given);
          expect((await source.read()).more).toBe(false);
          const kept = await source.kept();
          for (const one of given.map(shown)) expect(kept).toContain(one);
          expect(kept.length).toBeGreaterThanOrEqual(2 * given.length);
        }),
        RUNS,
      );
    });

    test('OBS-5 no secret is stored or told, wherever it stands: not in positions either', async () => {
      const key = anyKey();
      const source = world();
      const secret = { session: `s ${key}`, agent: `a ${key}`, tool: key, message: `no ${key}` };
      const [half] = [{ atMs: START_MS, ...secret }];
      // Read in pieces, so that whatever waits for a later line is stored.
      const notes: string[] = [];
      for (const _ of source.tell([half], 7)) notes.push(...(await source.read()).notes);
      source.garble(`${key} {"${key}": "${key}"}`);
      notes.push(...(await source.read()).notes);
      const stored = `${await everything(source.store, TABLES)}${notes.join()}`;
      expect(await source.kept()).toHaveLength(1);
      expect(stored).not.toContain(key.slice(0, 20));
      expect(stored).not.toContain(key.slice(-20));
    });

    test('OBS-5 no line of a private key is stored that was written over several lines', async () => {
      const { privateKey } = generateKeyPairSync('rsa', {
        modulusLength: 1024,
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      });
      const lines = privateKey.trim().split('\n');
      const source = world();
      all(source, [{ atMs: START_MS, session: 's', agent: 'a', tool: 't' }]);
      for (const line of lines) source.garble(line);
      await source.read();
      const stored = await everything(source.store, TABLES);
      for (const line of lines.slice(1, -1)) expect(stored).not.toContain(line);
    });

    test('what it remembers stays small, whatever it is given', async () => {
      const source = world();
      const given = fc.sample(call, { seed: 3, numRuns: 60 });
      for (let round = 0; round < 40; round++) {
        let at = 0;
        // Left in the middle: half of what was begun never ends.
        for (const _ of source.tell(given.slice(0, 2), 3)) if (++at === 2) break;
        source.garble('x'.repeat(3000));
      }
      await source.read();
      const rows = await source.store.all('SELECT value FROM observe_positions');
      for (const row of rows)
        expect((row['value'] as string).length).toBeLessThan(STATE_CHARS_MAX + 2000);
    });
  });
}

/** What the contract compares of an event, as a text. */
function shown(one: ToldCall | EventOf<'tool_call'>): string {
  const { atMs, session, agent, tool } = one;
  const message = 'kind' in one ? one.errorMessage : one.message;
  const failed = 'kind' in one ? !one.success : one.message !== undefined;
  return canonicalJson({ atMs, session, agent, tool, message: message ?? null, failed });
}

/** A process that dies before its next commit, or right behind it. */
function diesAtCommit(store: Store, isBefore: boolean): Store {
  return Object.assign(Object.create(store) as Store, {
    commit: async (plan: Plan) => {
      if (!isBefore) await store.commit(plan);
      throw new Error('killed');
    },
  });
}
