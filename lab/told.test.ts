import { expect, test } from 'vitest';
import { toldPatterns } from './told.ts';

const pattern = (id: string, status: string) => ({
  ...{ id, status, title: `${id} fails`, agent: 'a', tool: 't', why: 'outside' },
  firstSeenAt: '2026-03-02T01:00:00Z',
});
const mention = (of: string, atMs: number) => ({
  ...{ agent: null, tool: null, words: '', pattern: of, atMs },
});

test('what waits for a person is told, from the first report on that names it', () => {
  const patterns = ['told', 'waiting', 'proposed', 'declined', 'ignored'].map((status) =>
    pattern(status, status),
  );
  const told = toldPatterns(patterns, [
    mention('told', 9),
    mention('told', 7),
    mention('proposed', 1),
  ]);
  expect(told.map(({ words, atMs }) => [words, atMs])).toEqual([
    ['told fails outside', 7],
    ['waiting fails outside', Date.parse('2026-03-02T01:00:00Z')],
  ]);
});

test('what is over was told only if a report said so', () => {
  expect(toldPatterns([pattern('p', 'over')], [])).toEqual([]);
  expect(toldPatterns([pattern('p', 'over')], [mention('p', 5)])).toMatchObject([{ atMs: 5 }]);
});
