import { describe, expect, test } from 'vitest';
import { recognise } from './recognise.ts';
import type { Recognised, Sample, SourceKind } from './types.ts';
import { looksLike } from './unknown-file.ts';

const sample = (head: string, more: Partial<Sample> = {}): Sample => ({
  path: '/x/y',
  head,
  isWhole: true,
  ...more,
});

function kindThat(kind: string, answer: () => Recognised | undefined): SourceKind {
  const unused = () => {
    throw new Error('only recognised');
  };
  return { kind, about: 'for tests', keys: {}, place: unused, open: unused, recognise: answer };
}
const sure = (kind: string, certainty: number) => kindThat(kind, () => ({ certainty, what: kind }));

describe('which kind a file is of', () => {
  test('the surest gets it, the others are named in order', () => {
    const kinds = [sure('log', 0.4), sure('claude', 0.95), sure('jsonl', 0.6)];
    const { best, others, isTie } = recognise(sample('x'), kinds);
    expect(best?.kind.kind).toBe('claude');
    expect(others.map(({ kind }) => kind.kind)).toEqual(['jsonl', 'log']);
    expect(isTie).toBe(false);
  });

  test('two that are as sure are a tie, and the first of the list is named', () => {
    const { best, isTie } = recognise(sample('x'), [sure('a', 0.6), sure('b', 0.61)]);
    expect([best?.kind.kind, isTie]).toEqual(['b', true]);
    expect(recognise(sample('x'), [sure('a', 0.6), sure('b', 0.6)]).best?.kind.kind).toBe('a');
  });

  test('one that doubts, knows nothing, gives no number or throws is no answer', () => {
    const kinds = [
      sure('doubts', 0.2),
      sure('none', Number.NaN),
      kindThat('silent', () => undefined),
      kindThat('broken', () => {
        throw new Error('at this file');
      }),
    ];
    expect(recognise(sample('x'), kinds)).toEqual({ best: undefined, others: [], isTie: false });
  });

  test('Hone’s JSONL, also with its last line torn', () => {
    const line = JSON.stringify({
      timestamp: '2026-01-01T00:00:00Z',
      event_type: 'feedback',
      session_id: 's',
      agent: 'a',
      rating: 'thumbs_up',
    });
    const torn = sample(`${line}\n${line.slice(0, 20)}`, { isWhole: false });
    expect(recognise(torn).best).toMatchObject({ kind: { kind: 'jsonl' } });
    expect(recognise(sample('{"a":1}\n')).best?.kind.kind).not.toBe('jsonl');
  });
});

test.each([
  ['', 'an empty file'],
  ['\u0000\u0001\u0002', 'binary data'],
  [Buffer.from('1f8b0800', 'hex').toString('utf8'), 'compressed data'],
  ['{"level":"info","msg":"x"}\n{"level":', 'JSON lines with the keys level, msg'],
  ['{"a":1}', 'JSON lines with the key a'],
  ['{\n  "a": 1,\n  "b": 2\n}\n', 'one JSON document with the keys a, b'],
  ['[\n {"a": 1}\n]\n', 'a JSON list of objects with the key a'],
  ['<?xml version="1.0"?>\n<testsuites>', 'XML or HTML that begins with <testsuites>'],
  ['time,level,msg\n1,info,x\n', 'a table with the columns time, level, msg'],
  ['2026-01-01 \u001b[31mERROR\u001b[0m it broke\n', 'plain text'],
])('%j looks like %s', (head, words) => {
  expect(looksLike(sample(head))).toBe(words);
});

test('what a file looks like never repeats a value', () => {
  for (const head of ['{"a":"hush"}\n', '{\n"a":"hush"\n}', 'a,b,c\nhush,hush,hush\n', 'hush\n'])
    expect(looksLike(sample(head))).not.toContain('hush');
});
