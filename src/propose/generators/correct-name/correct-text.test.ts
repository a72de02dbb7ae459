import { describe, expect, test } from 'vitest';
import type { Pattern } from '../../../facts/index.ts';
import { generatorContract } from '../../generator-contract.test-support.ts';
import { pattern } from '../../patterns.test-support.ts';
import { targetFiles } from '../../target-files.ts';
import { correctText } from './correct-text.ts';

const FILE = 'prompts/triage.md';
const subject = (
  renames: { from?: string; to?: string; beside?: string[] } = {},
): Partial<Pattern> => ({
  kind: 'other',
  subject: {
    ...{ kind: 'rule', file: FILE, line: 1, section: [FILE], commit: 'c'.repeat(40) },
    reach: { kind: 'unknown', names: [], within: 'triage' },
    renames: {
      ...{ from: 'assignee', to: 'assignee_id', beside: ['title', 'body'] },
      why: 'The definition of open_ticket that agents are given has assignee_id where the agent gives assignee.',
      ...renames,
    },
  },
});

generatorContract({
  generator: correctText,
  fixes: [
    { pattern: subject(), files: { [FILE]: '# Triage\n\nGive title, body and assignee.\n' } },
    { pattern: subject(), files: { [FILE]: 'Always pass `assignee`.\r\nThen stop.' } },
    {
      pattern: subject(),
      files: { [FILE]: '```json\n{ "title": "x",\n  "assignee": "y" }\n```\n' },
    },
    {
      pattern: subject(),
      files: { [FILE]: "open_ticket(title, body, assignee)  # the 'assignee'\n" },
    },
    {
      pattern: subject({ from: 'q', to: 'query', beside: [] }),
      files: { [FILE]: '\ufeffAsk with "q" alone.\n' },
    },
  ],
  declines: [
    { pattern: subject(), files: { [FILE]: 'Write to the assignee when you are done.\n' } },
    { pattern: subject(), files: { [FILE]: 'title, body, assignee_name and `co-assignee`\n' } },
    { pattern: subject({ to: 'run `rm`' }), files: { [FILE]: 'Pass `assignee`.\n' } },
    { pattern: subject({ from: 'a b' }), files: { [FILE]: 'Pass `a b`.\n' } },
    { pattern: subject(), files: {} },
  ],
});

describe('a name in a text', () => {
  const corrected = async (text: string) => {
    const files = targetFiles({ readFile: async () => Buffer.from(text) }, 'd'.repeat(40));
    const answer = await correctText.propose(pattern(subject()), files);
    const [draft] = 'drafts' in answer ? answer.drafts : [];
    return draft && Buffer.from(draft.edits[0]!.content!).toString();
  };

  test.each([
    ['among its siblings', 'Fields: title, body, assignee.', 'Fields: title, body, assignee_id.'],
    [
      'in backticks, and not as a word',
      'Thank the assignee: `assignee`.',
      'Thank the assignee: `assignee_id`.',
    ],
    [
      'in every line that has it as a name',
      '"assignee"\nthe assignee\n`assignee`',
      '"assignee_id"\nthe assignee\n`assignee_id`',
    ],
    [
      'not inside another name',
      '`assignee`, `assignee_name`, `my-assignee`',
      '`assignee_id`, `assignee_name`, `my-assignee`',
    ],
    [
      'before a full stop and after a bracket',
      'call(title, body, assignee). Done',
      'call(title, body, assignee_id). Done',
    ],
  ])('%s', async (_, before, after) => {
    expect(await corrected(before)).toBe(after);
    // Line ends and all else stay as they are.
    expect(await corrected(`a\r\n${before}\r\n\r\nz`)).toBe(`a\r\n${after}\r\n\r\nz`);
  });
});
