import { expect, test } from 'vitest';
import { z } from 'zod';
import { carryOver } from './carry-over.ts';
import {
  composeSections,
  field,
  foundationSections,
  group,
  parseConfig,
  section,
} from './index.ts';
import { duration } from './quantities.ts';

const built = (mode: readonly [string, ...string[]]) =>
  composeSections([
    section('part', 'A part.', {
      mode: field(z.enum(mode), mode[0], 'A mode.'),
      wait: field(duration({ min: '1s', max: '1h' }), '5m', 'A wait.'),
      deep: group('Deeper.', { names: field(z.array(z.string()), [], 'Names.') }),
    }),
  ]);
const part = { mode: 'old', wait: 2000, deep: { names: ['a'] } };

test('what this build takes is kept, the rest has its default and is named', () => {
  const old = { part: { ...part, gone: 1 }, alsoGone: {} };
  expect(carryOver(built(['new', 'newer']), old)).toEqual({
    config: { part: { ...part, mode: 'new' } },
    lost: ['part.mode'],
  });
  const other = { part: { mode: 'newer', wait: 'long', deep: { names: 'a' } } };
  expect(carryOver(built(['new', 'newer']), other)).toEqual({
    config: { part: { mode: 'newer', wait: 300_000, deep: { names: [] } } },
    lost: ['part.wait', 'part.deep.names'],
  });
  for (const nothing of [undefined, null, 'x', [], { part: null }])
    expect(carryOver(built(['new']), nothing)?.config.part.mode).toBe('new');
});

test('of the same build everything is kept', () => {
  const schema = composeSections(foundationSections);
  const text = 'lease: { ttl: 40s }\nretention: { keptPerDay: 2GB }\nswitches: { deploy: off }\n';
  const parsed = parseConfig(text, 'hone.yaml', schema);
  if (!parsed.ok) throw new Error('a gate that nothing switches may be written with any mode');
  expect(carryOver(schema, parsed.config)).toEqual({ config: parsed.config, lost: [] });
});
