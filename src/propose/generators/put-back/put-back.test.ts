import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generatorContract } from '../../generator-contract.test-support.ts';
import { FILE, pattern, settingOf, TEXT } from '../../patterns.test-support.ts';
import { targetFiles } from '../../target-files.ts';
import { putBackText } from './put-back-text.ts';
import { putBackValue } from './put-back-value.ts';
import { undoneText } from './undone-text.ts';

const COMMIT = 'a'.repeat(40);
const PARENT = 'b'.repeat(40);
const before = { commit: COMMIT, parent: PARENT };
const wasLonger = settingOf({ before: { ...before, value: 5000 } });
const model = settingOf({
  path: ['model'],
  line: 1,
  value: 'small-2',
  unit: null,
  before: { ...before, value: 'large-1' },
});

generatorContract({
  generator: putBackValue,
  fixes: [
    { pattern: { subject: wasLonger }, files: { [FILE]: TEXT } },
    { pattern: { subject: model }, files: { [FILE]: 'model: "small-2" # cheaper\n' } },
  ],
  declines: [
    { pattern: { subject: wasLonger }, files: { [FILE]: TEXT.replaceAll('800', '900') } },
    { pattern: { subject: model }, files: { [FILE]: 'model: small-3\n' } },
  ],
});

const PROMPT = 'prompts/researcher.md';
const OLD = '# Task\n\nAnswer in JSON.\nBe brief.\n\n# Tools\n\nUse search.\n';
const NEW = '# Task\n\nAnswer as you like.\nBe brief.\n\n# Tools\n\nUse search.\n';
const rule = {
  kind: 'rule' as const,
  file: PROMPT,
  line: 3,
  section: [PROMPT],
  before,
  commit: COMMIT,
  reach: { kind: 'unknown' as const, names: [], within: 'researcher' },
};
const at = { [COMMIT]: { [PROMPT]: NEW }, [PARENT]: { [PROMPT]: OLD } };

generatorContract({
  generator: putBackText,
  fixes: [
    { pattern: { subject: rule }, files: { [PROMPT]: NEW }, at },
    { pattern: { subject: rule }, files: { [PROMPT]: `${NEW}One more rule.\n` }, at },
  ],
  declines: [
    { pattern: { subject: rule }, files: { [PROMPT]: NEW.replace('you like', 'I like') }, at },
    {
      pattern: { subject: rule },
      files: { [PROMPT]: NEW },
      at: { [COMMIT]: { [PROMPT]: NEW }, [PARENT]: {} },
    },
  ],
});

describe('what a commit changed in a text', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd');
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));

  test('is undone to the byte where nothing came after it', () => {
    fc.assert(
      fc.property(text, text, (old, changed) => {
        expect(undoneText({ old, changed, now: changed })).toBe(old);
      }),
    );
  });

  test('is undone around what came after it, or not at all', () => {
    const later = NEW.replace('Use search.', 'Use search twice.');
    expect(undoneText({ old: OLD, changed: NEW, now: later })).toBe(
      OLD.replace('Use search.', 'Use search twice.'),
    );
    expect(undoneText({ old: OLD, changed: NEW, now: `${NEW}${NEW}` })).toBeUndefined();
    expect(undoneText({ old: OLD, changed: NEW, now: 'all new\n' })).toBeUndefined();
  });
});

test('only a failure that the commit began is answered by putting back', async () => {
  const files = targetFiles({ readFile: async () => Buffer.from(TEXT) }, COMMIT);
  const steady = {
    trigger: 'none',
    since: null,
    endedAtMs: null,
    during: 1,
    otherwise: 1,
  } as const;
  const whyNow = { ...steady, wait: null };
  const asked = pattern({ subject: wasLonger, whyNow });
  expect(await putBackValue.propose(asked, files)).toEqual({ drafts: [] });
  const changed = pattern({ subject: wasLonger, whyNow: { ...whyNow, trigger: 'change' } });
  expect(await putBackValue.propose(changed, files)).toMatchObject({
    drafts: [{ title: 'Put timeout_ms of web_search back from 800 to 5000' }],
  });
});
