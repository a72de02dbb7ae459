import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Change, samePlace } from '../../../facts/index.ts';
import { type GeneratorCase, generatorContract } from '../../generator-contract.test-support.ts';
import { FILE, pattern, settingOf, TEXT } from '../../patterns.test-support.ts';
import { targetFiles } from '../../target-files.ts';
import { putBackText } from './put-back-text.ts';
import { putBackValue } from './put-back-value.ts';
import { undonePart, undoneText } from './undone-text.ts';

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

/** The file before the commit, after it, and now. */
const versions = (
  old: string,
  changed: string,
  now = changed,
): Required<Pick<GeneratorCase, 'files' | 'at'>> => ({
  files: { [FILE]: now },
  at: { [PARENT]: { [FILE]: old }, [COMMIT]: { [FILE]: changed } },
});
const LONGER = TEXT.replace('timeout_ms: 800   #', 'timeout_ms: 5000   #');
const [LARGE, SMALL] = ["model: 'large-1'\n", 'model: "small-2" # cheaper\n'];

generatorContract({
  generator: putBackValue,
  fixes: [
    { pattern: { subject: wasLonger }, ...versions(LONGER, TEXT) },
    { pattern: { subject: model }, ...versions(LARGE, SMALL) },
  ],
  declines: [
    {
      pattern: { subject: wasLonger },
      ...versions(LONGER, TEXT, TEXT.replaceAll('800', '900')),
    },
    { pattern: { subject: model }, ...versions(LARGE, SMALL, 'model: small-3\n') },
    // The same value, and yet not what the commit wrote: somebody touched it.
    { pattern: { subject: model }, ...versions(LARGE, SMALL, 'model: small-2\n') },
    { pattern: { subject: model }, ...versions('other: 1\n', SMALL) },
  ],
});

describe('a value that is put back', () => {
  const limit = { path: ['limit'], line: 1, value: 500, unit: 'ms' };
  const limitWas = settingOf({ ...limit, before: { ...before, value: 5 } });
  const unitWas = settingOf({ ...limit, unit: null, before: { ...before, value: '500s' } });
  const flag = { path: ['strict'], line: 1, value: false, unit: null };
  const flagWas = settingOf({ ...flag, before: { ...before, value: true } });
  const item = { path: ['t', '1'], line: 1, value: 'scales', unit: null };
  const itemWas = settingOf({ ...item, before: { ...before, value: 'scale' } });
  const draftOf = async (subject: typeof model, { files, at }: ReturnType<typeof versions>) => {
    const readFile = async (commit: string, path: string) =>
      Buffer.from((at[commit] ?? files)[path]!);
    const answer = await putBackValue.propose(
      pattern({ subject }),
      targetFiles({ readFile }, 'd'.repeat(40)),
    );
    return 'drafts' in answer ? answer.drafts[0] : undefined;
  };

  test.each([
    ['a name with its old quotes', model, LARGE, SMALL, "model: 'large-1' # cheaper\n"],
    ['a duration with its old unit', limitWas, 'limit: 5s\n', 'limit: 500ms\n', 'limit: 5s\n'],
    ['a unit that was lost', unitWas, 'limit: "500s"\n', 'limit: 500\n', 'limit: "500s"\n'],
    ['a switch', flagWas, 'strict: true\n', 'strict: false\n', 'strict: true\n'],
    [
      'an item that was sorted as well',
      itemWas,
      "t: ['scale', map]\n",
      't: [map, scales]\n',
      "t: [map, 'scale']\n",
    ],
  ] as const)(
    'has the bytes it had, and a person decides: %s',
    async (...[, subject, old, changed, text]) => {
      const draft = await draftOf(subject, versions(old, changed));
      expect(Buffer.from(draft!.edits[0]!.content!).toString()).toBe(text);
      expect(draft).toMatchObject({ type: 'behavior_fix', risk: 'medium' });
    },
  );

  test('is a tuned constant where only a number differs', async () => {
    const draft = await draftOf(wasLonger, versions(LONGER, TEXT));
    expect(draft).not.toHaveProperty('type');
    expect(draft!.risk).toBe('low');
  });
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

describe('lines that are put back', () => {
  const old = 'a = 1\nwait_s = 20\nb = 2\nc = 3\n';
  const changed = 'a = 1\nwait_ms = 20\nb = 2\nd = 3\n';

  test('are those of one part, and what came since stays', () => {
    expect(undonePart({ old, changed, now: changed }, 2)).toBe(changed.replace('_ms', '_s'));
    const now = changed.replace('b = 2', 'b = 5').replace('a = 1', 'a = 9');
    expect(undonePart({ old, changed, now }, 2)).toBe(now.replace('_ms', '_s'));
    expect(undonePart({ old, changed, now: changed.replace('20', '30') }, 2)).toBeUndefined();
    expect(undonePart({ old, changed, now: changed }, 3)).toBeUndefined();
  });

  test('are those beside a value that stays as it is', () => {
    const head = { old: 'title: A\nwaits:\n  map: 5s\n', changed: 'title: B\nholds:\n  map: 5s\n' };
    const now = head.changed.replace('B', 'C');
    expect(undonePart({ ...head, now }, 2, 1)).toBe('title: C\nwaits:\n  map: 5s\n');
    expect(undonePart({ ...head, now: head.changed }, 1, 1)).toBe('title: A\nholds:\n  map: 5s\n');
    // Beyond what changed there, and where lines were added.
    expect(undonePart({ ...head, now }, 2, 2)).toBeUndefined();
    expect(undonePart({ ...head, old: 'title: A\n', now }, 2, 1)).toBeUndefined();
  });

  test('come back where they were removed, unless that place is gone', () => {
    const removed = old.replace('wait_s = 20\n', '');
    expect(undonePart({ old, changed: removed, now: removed }, 2)).toBe(old);
    const now = `${removed}e = 4\n`;
    expect(undonePart({ old, changed: removed, now }, 2)).toBe(`${old}e = 4\n`);
    expect(undonePart({ old, changed: removed, now: 'e = 4\n' }, 2)).toBeUndefined();
  });

  test('are named by their line, and a person decides', async () => {
    const subject = { ...rule, before: { ...before, line: 3 } };
    const readFile = async (commit: string) => Buffer.from(commit === PARENT ? OLD : NEW);
    const answer = await putBackText.propose(
      pattern({ subject }),
      targetFiles({ readFile }, COMMIT),
    );
    expect(answer).toMatchObject({ drafts: [{ title: expect.stringContaining('Put line 3 of') }] });
    expect(putBackText.type).toBe('behavior_fix');
  });
});

test('lines of two commits are two places, those of one commit are one', async () => {
  const old = 'a_s = 1\nb = 2\nc_s = 3\n';
  const changed = 'a_ms = 1\nb = 2\nc_ms = 3\n';
  const changeOf = async (line: number, commit = COMMIT, now = changed): Promise<Change> => {
    const subject = { ...rule, before: { commit, parent: PARENT, line } };
    const texts: Record<string, string> = { [commit]: changed, [PARENT]: old };
    const readFile = async (at: string) => Buffer.from(texts[at] ?? now);
    const head = 'd'.repeat(40);
    const answer = await putBackText.propose(pattern({ subject }), targetFiles({ readFile }, head));
    assert('drafts' in answer && answer.drafts[0] !== undefined);
    return answer.drafts[0].change;
  };
  const first = await changeOf(1);
  expect(samePlace(first, await changeOf(3))).toBe(true);
  expect(samePlace(first, await changeOf(3, 'e'.repeat(40)))).toBe(false);
  // Wherever it stands by now.
  expect(samePlace(first, await changeOf(1, COMMIT, `# new\n${changed}`))).toBe(true);
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
  const readFile = async (commit: string) => Buffer.from(commit === PARENT ? LONGER : TEXT);
  const files = targetFiles({ readFile }, COMMIT);
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
