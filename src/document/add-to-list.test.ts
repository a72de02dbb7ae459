import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { addToList } from './add-to-list.ts';

const KEYS = ['observe', 'sources'] as const;
const ITEM = { name: 'agents', path: '~/.claude/projects' };
const WRITTEN = '{name: agents, path: ~/.claude/projects}';
const add = (text: string) => addToList(text, KEYS, ITEM);

describe('an item is added where the list is', () => {
  test.each([
    ['an empty file', '', `observe:\n  sources:\n    - ${WRITTEN}\n`],
    [
      'a file without the section',
      '# Ours.\ntarget:\n  agentFiles: []\n',
      `# Ours.\ntarget:\n  agentFiles: []\n\nobserve:\n  sources:\n    - ${WRITTEN}\n`,
    ],
    [
      'an empty section',
      'observe: # later\ntarget: {}\n',
      `observe: # later\n  sources:\n    - ${WRITTEN}\ntarget: {}\n`,
    ],
    [
      'a section without the list',
      'observe:\n    redactUuids: true # all\n',
      `observe:\n    sources:\n      - ${WRITTEN}\n    redactUuids: true # all\n`,
    ],
    [
      'what "hone init" writes',
      'observe:\n  # Telemetry.\n  sources: [\n    # {name: agents, path: /var/log/agents},\n    ]\n',
      `observe:\n  # Telemetry.\n  sources: [\n    # {name: agents, path: /var/log/agents},\n    ${WRITTEN},\n    ]\n`,
    ],
    ['an empty list', 'observe:\n  sources: []\n', `observe:\n  sources: [${WRITTEN}]\n`],
    [
      'a list on one line',
      'observe:\n  sources: [{name: a, path: b}] # one\n',
      `observe:\n  sources: [{name: a, path: b}, ${WRITTEN}] # one\n`,
    ],
    [
      'a block list with comments',
      'observe:\n  sources:\n    - name: a # the first\n      path: b\n  # More keys.\n  redactUuids: true\n',
      `observe:\n  sources:\n    - name: a # the first\n      path: b\n    - ${WRITTEN}\n  # More keys.\n  redactUuids: true\n`,
    ],
    [
      'a list without indentation, at an end without a line end',
      'observe:\n  sources:\n  - {name: a, path: b}',
      `observe:\n  sources:\n  - {name: a, path: b}\n  - ${WRITTEN}\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(add(text)).toEqual({ text: expected });
  });
});

test.each([
  ['a syntax error', 'observe: [\n'],
  ['a section that is a text', 'observe: yes please\n'],
  ['a list that is a text', 'observe:\n  sources: here\n'],
  ['a list that is an alias', 'x: &a [1]\nobserve:\n  sources: *a\n'],
  ['a file that is a list', '- 1\n'],
  ['a section in braces', 'observe: {sources: []}\n'],
])('%s is declined', (_, text) => {
  expect(add(text)).toHaveProperty('declined');
});

test('whatever the file is: only inserted, and meant as asked for', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  const entry = fc.record({ name, path: fc.stringMatching(/^[ -~]{1,20}$/) });
  const style = fc.constantFrom<'flow' | 'block'>('flow', 'block');
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), entry, style, (sources, item, form) => {
      const lines = sources.map((one) => JSON.stringify(one));
      const list =
        form === 'flow' || lines.length === 0
          ? `  sources: [${lines.join(', ')}] # end\n`
          : `  sources:\n${lines.map((line) => `    - ${line} # x\n`).join('')}`;
      const text = `# Head\nobserve:\n${list}  redactUuids: true\n`;
      const added = addToList(text, KEYS, item);
      if ('declined' in added) throw new Error(added.declined);
      expect(parse(added.text)).toEqual({
        observe: { sources: [...sources, item], redactUuids: true },
      });
      for (const line of text.split('\n').filter((one) => one.startsWith('#')))
        expect(added.text).toContain(line);
    }),
    { numRuns: 100 },
  );
});
