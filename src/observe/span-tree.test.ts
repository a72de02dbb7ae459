import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spanTree } from './span-tree.ts';
import type { StoredEvent } from './telemetry-view.ts';
import type { CleanEvent } from './types.ts';

interface Step {
  readonly span?: string | undefined;
  readonly parent?: string | undefined;
  readonly at?: number;
  readonly failed?: boolean;
}

function stored({ span, parent, at = 0, failed = false }: Step, id: number): StoredEvent {
  const event = {
    kind: 'tool_call',
    atMs: at,
    session: 's',
    agent: 'a',
    tool: span ?? 't',
    success: !failed,
    ...(span === undefined ? {} : { spanId: span }),
    ...(parent === undefined ? {} : { parentSpanId: parent }),
  } as unknown as CleanEvent;
  return { id: String(id), atMs: at, source: 'x', sanitiser: 1, event };
}

const tree = (...steps: Step[]) => spanTree(steps.map(stored));
const shape = (...steps: Step[]) =>
  tree(...steps).map(({ stored: { id }, depth }) => `${'-'.repeat(depth)}${id}`);

describe('a trace as a tree', () => {
  test('children stand below their parent, siblings by time', () => {
    const steps = [
      { span: 'b', parent: 'a', at: 3 },
      { span: 'a', at: 1 },
      { span: 'c', parent: 'a', at: 2 },
      { span: 'd', parent: 'b', at: 4 },
    ];
    expect(shape(...steps)).toEqual(['1', '-2', '-0', '--3']);
  });

  test('without spans it is the order of time', () => {
    expect(shape({ at: 3 }, { at: 1 }, { at: 2 })).toEqual(['1', '2', '0']);
  });

  test('a parent that is not there makes a root; of two with one id the first is the parent', () => {
    expect(shape({ span: 'a', parent: 'gone' }, { span: 'b', parent: 'a', at: 1 })).toEqual([
      '0',
      '-1',
    ]);
    const twice = [{ span: 'a' }, { span: 'a', at: 1 }, { parent: 'a', at: 2 }];
    expect(shape(...twice)).toEqual(['0', '-2', '1']);
  });

  test('a loop is cut at one span, which says so; a span that is its own parent too', () => {
    const looped = tree(
      { span: 'a', parent: 'c' },
      { span: 'b', parent: 'a', at: 1 },
      { span: 'c', parent: 'b', at: 2 },
    );
    expect(looped.map(({ isCut }) => isCut)).toEqual([true, false, false]);
    expect(looped.map(({ depth }) => depth)).toEqual([0, 1, 2]);
    expect(tree({ span: 'a', parent: 'a' })).toMatchObject([{ depth: 0, isCut: true }]);
  });

  test('the first error is the earliest that no failure below it explains', () => {
    const steps = [
      { span: 'agent', at: 0, failed: true },
      { span: 'late', parent: 'agent', at: 5, failed: true },
      { span: 'early', parent: 'agent', at: 2, failed: true },
      { span: 'fine', parent: 'agent', at: 1 },
    ];
    const first = tree(...steps).filter(({ isFirstError }) => isFirstError);
    expect(first.map(({ stored: { id } }) => id)).toEqual(['2']);
    expect(tree({ at: 1 }).some(({ isFirstError }) => isFirstError)).toBe(false);
  });

  test('any links: every event has one place, and depth grows by one at a time', () => {
    const name = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: undefined });
    const step = fc.record({ span: name, parent: name, at: fc.nat(9), failed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const nodes = tree(...steps);
        expect(nodes.map(({ stored: { id } }) => Number(id)).sort((a, b) => a - b)).toEqual([
          ...steps.keys(),
        ]);
        let before = -1;
        for (const { depth } of nodes) {
          expect(depth).toBeLessThanOrEqual(before + 1);
          before = depth;
        }
        const isAnyFailed = steps.some(({ failed }) => failed);
        expect(nodes.filter(({ isFirstError }) => isFirstError)).toHaveLength(isAnyFailed ? 1 : 0);
      }),
    );
  });

  test('a chain of 5 000 spans is laid out at once', () => {
    const chain = Array.from({ length: 5000 }, (_, at) => ({
      span: `s${at}`,
      parent: `s${at - 1}`,
      at,
    }));
    expect(tree(...chain).at(-1)?.depth).toBe(4999);
  });
});
