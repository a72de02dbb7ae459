import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeSections, parseConfig } from '../../../config/index.ts';
import { observeSection } from '../../config-section.ts';
import { lookAtSource } from '../../look-at-source.ts';
import { sourceContract } from '../../source-contract.test-support.ts';
import { SOURCES } from '../../sources.ts';
import {
  collectorOf,
  emptyStore,
  MemoryFiles,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from '../../telemetry.test-support.ts';
import type { CommandEnd, SourceCommands, SourceKind } from '../../types.ts';
import { jsonl } from '../jsonl/jsonl.ts';
import { command } from './command.ts';

const WORDS = ['docker', 'logs', 'agents'];

/** A command that prints `text` whenever it runs, in pieces of any size. */
class Printing implements SourceCommands {
  text = '';
  runs = 0;
  timeMs = START_MS;
  end: CommandEnd = { how: 'exited', code: 0 };
  pieceBytes = 1000;
  /** Whether it has nothing yet, after so many pieces. */
  isSlow: (pieces: number) => boolean = () => false;
  /** How many pieces were asked for. */
  pieces = 0;

  nowMs(): number {
    return this.timeMs;
  }

  run: SourceCommands['run'] = () => {
    this.runs += 1;
    const bytes = Buffer.from(this.text);
    const { end, pieceBytes } = this;
    let at = 0;
    return {
      next: async (mayBeLater) => {
        if (at >= bytes.length) return undefined;
        if (mayBeLater && this.isSlow(this.pieces)) return 'later';
        this.pieces += 1;
        at += pieceBytes;
        return bytes.subarray(at - pieceBytes, at);
      },
      end,
      [Symbol.asyncDispose]: async () => {},
    };
  };
}

sourceContract(command, () => {
  const commands = new Printing();
  return {
    settings: { command: WORDS, format: 'jsonl', settings: {}, everySeconds: 1 },
    files: new MemoryFiles(),
    commands,
    *tell(calls, pieces = 1) {
      const text = calls
        .map(({ atMs, session, agent, tool, message }) =>
          toolCall(atMs, {
            ...{ session_id: session, agent, tool, success: message === undefined },
            ...(message === undefined ? {} : { error_message: message }),
          }),
        )
        .join('');
      for (let piece = 0; piece < pieces; piece++) {
        const edge = (at: number) => Math.floor((text.length * at) / pieces);
        commands.text += text.slice(edge(piece), edge(piece + 1));
        yield;
      }
    },
    garble: (text) => {
      commands.text += `${text}\n`;
    },
  };
}, [jsonl as unknown as SourceKind]);

const settings = {
  ...SETTINGS,
  sources: [{ name: 'agents', kind: 'command', command: WORDS, format: 'jsonl' }],
};

describe('OBS-2 what a command prints', () => {
  const open = telemetryPerTest('memory');
  const line = (number: number) => toolCall(START_MS + number, { session_id: `s${number}` });
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => line(from + at)).join('');
  const started = (commands: Printing) =>
    collectorOf(open().store, new MemoryFiles(), { settings, commands });

  test('is printed again from the start, and only what is new is counted', async () => {
    const commands = new Printing();
    commands.text = lines(0, 1000);
    expect(await started(commands).collect()).toMatchObject({ events: 1000 });
    expect(await started(commands).collect()).toMatchObject({ events: 0 });
    commands.text += lines(1000, 1003);
    expect(await started(commands).collect()).toMatchObject({ events: 3, notes: [] });
  });

  test.each([0, 100, 998, 999])(
    'begins %i lines later than before, and only what is new is counted',
    async (first) => {
      const commands = new Printing();
      commands.text = lines(0, 1000);
      await started(commands).collect();
      commands.text = lines(first, 1005);
      expect(await started(commands).collect()).toMatchObject({ events: 5, aside: 0, notes: [] });
    },
  );

  test('has nothing of what was read before: all of it is new, and that is said', async () => {
    const commands = new Printing();
    commands.text = lines(0, 1000);
    await started(commands).collect();
    commands.text = lines(1500, 1510);
    const { events, notes } = await started(commands).collect();
    expect(events).toBe(10);
    expect(notes).toEqual([
      'agents: docker logs agents no longer holds what was read last: it is read from its start.',
    ]);
  });

  test('however lines come and old ones go, what was printed at a reading is counted once', async () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 90 }) }),
      fc.record({ drop: fc.integer({ min: 1, max: 90 }) }),
      fc.constant('read' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const store = await emptyStore();
        const commands = new Printing();
        let [from, to] = [0, 0];
        const seen = new Set<string>();
        const read = async () => {
          commands.text = lines(from, to);
          for (let at = from; at < to; at++) seen.add(`s${at}`);
          await collectorOf(store, new MemoryFiles(), { settings, commands }).collect();
        };
        for (const one of steps) {
          if (one === 'read') await read();
          else if ('add' in one) to += one.add;
          else from = Math.min(from + one.drop, to);
        }
        await read();
        const rows = await store.all('SELECT session FROM observe_events');
        expect(rows.map((row) => row['session'] as string).sort()).toEqual([...seen].sort());
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  test('runs once a minute, unless a reading was left in the middle', async () => {
    const commands = new Printing();
    commands.text = lines(0, 2000);
    const collector = started(commands);
    expect(await collector.collect({ budgetEvents: 500 })).toMatchObject({ more: true });
    expect(commands.pieces).toBeLessThan(400);
    expect(await collector.collect()).toMatchObject({ events: 1500 });
    expect(commands.runs).toBe(1);
    commands.text += line(2000);
    commands.timeMs += 59_999;
    expect(await collector.collect()).toMatchObject({ events: 0 });
    commands.timeMs += 1;
    expect(await collector.collect()).toMatchObject({ events: 1 });
    expect(commands.runs).toBe(2);
  });

  test('how it ended is said once, as long as it ends so', async () => {
    const commands = new Printing();
    commands.text = lines(0, 1);
    commands.end = { how: 'exited', code: 125 };
    const collector = started(commands);
    expect((await collector.collect()).notes).toEqual([
      'agents: docker logs agents ended with 125.',
    ]);
    commands.timeMs += 60_000;
    expect((await collector.collect()).notes).toEqual([]);
    commands.end = { how: 'not_started', code: 'ENOENT' };
    commands.text = '';
    commands.timeMs += 60_000;
    expect((await collector.collect()).notes).toEqual([
      'agents: docker logs agents could not be started (ENOENT).',
    ]);
  });

  test('nothing is run where there is no way to', async () => {
    const collector = collectorOf(open().store, new MemoryFiles(), { settings });
    const notes = ['agents: docker logs agents could not be started (not run here).'];
    expect((await collector.collect()).notes).toEqual(notes);
    expect(await lookAtSource(settings.sources[0]!, new MemoryFiles())).toMatchObject({
      place: 'docker logs agents',
      count: 1,
      notes: [],
    });
  });

  test('others are read while it prints nothing, and it goes on where it was', async () => {
    const commands = new Printing();
    commands.text = lines(0, 100);
    commands.isSlow = () => true;
    const collector = started(commands);
    expect(await collector.collect()).toMatchObject({ events: 0, notes: [] });
    expect(await collector.collect()).toMatchObject({ events: 0, notes: [] });
    commands.isSlow = () => false;
    expect(await collector.collect()).toMatchObject({ events: 100 });
    expect(commands.runs).toBe(1);
    commands.text += lines(100, 200);
    commands.timeMs += 60_000;
    // Slow in the middle of what is new.
    commands.pieceBytes = 20_000;
    const slowAt = commands.pieces + 1;
    commands.isSlow = (pieces) => pieces === slowAt;
    const { events } = await collector.collect();
    expect(events).toBeGreaterThan(0);
    expect(events).toBeLessThan(100);
    commands.isSlow = () => false;
    expect(await collector.collect()).toMatchObject({ events: 100 - events, notes: [] });
    expect(commands.runs).toBe(2);
  });
});

test.each([
  ['command: [docker, logs, x], format: jsonl', true],
  ['command: [docker, logs, x], format: jsonl, errorOutput: false, everySeconds: 5', true],
  ['command: [docker, logs, x], format: smoke', false],
  ['command: [docker, logs, x], format: command', false],
  ['command: [docker, logs, x], format: jsonl, settings: {columns: 1}', false],
  ['command: [docker, logs, x], format: jsonl, path: x', false],
  ['command: docker logs x, format: jsonl', false],
  ['command: [-c, x], format: jsonl', false],
  ['command: [], format: jsonl', false],
  ['format: jsonl', false],
])('the configuration {%s}: %s', (entry, expected) => {
  const text = `observe:\n  sources: [{name: a, kind: command, ${entry}}]\n`;
  const { ok } = parseConfig(text, 'hone.yaml', composeSections([observeSection]));
  expect(ok).toBe(expected);
  expect(SOURCES).toContain(command);
});
