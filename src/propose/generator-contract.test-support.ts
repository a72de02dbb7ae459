/** What every generator promises. A member's test calls it with patterns that it fixes, and with some that it declines. */
import { describe, expect, test } from 'vitest';
import { readDocument } from '../document/index.ts';
import {
  changeKey,
  type Pattern,
  PROPOSAL_TYPES,
  RISKS,
  type Subject,
  SYSTEM,
} from '../facts/index.ts';
import { proposalContentSchema } from '../facts/schemas.ts';
import { memoryRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import { pattern, withParts } from './patterns.test-support.ts';
import { proposeFix } from './propose-fix.ts';
import { targetFiles } from './target-files.ts';
import type { Draft, Generator } from './types.ts';

export interface GeneratorCase {
  /** Over a pattern of a timeout (`patterns.test-support.ts`). */
  readonly pattern: Partial<Pattern>;
  /** The target's files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The files at other commits that the pattern names, by commit. */
  readonly at?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface GeneratorUnderTest {
  readonly generator: Generator;
  /** Each gives at least one draft. */
  readonly fixes: readonly GeneratorCase[];
  /** Each is of its kind, and declined in a sentence. */
  readonly declines: readonly GeneratorCase[];
}

const COMMIT = 'c'.repeat(40);
const HEAD = 'd'.repeat(40);
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const SENTENCES = /^\S.*[.!?)]$/s;

/** One of each kind of subject: a generator's own kind is one of them at most. */
const SUBJECTS: readonly Subject[] = [
  { kind: 'unknown' },
  { kind: 'service', name: 'web_search' },
  { kind: 'code', file: 'a.py', line: 1, symbol: 'x', commit: COMMIT },
  { kind: 'step', file: 'a.yaml', line: 1, workflow: 'w', step: 's', commit: COMMIT },
  { kind: 'tool_contract', tool: 't', file: null, line: null, commit: null },
];

export function generatorContract(under: GeneratorUnderTest): void {
  const { generator } = under;
  const readAt =
    ({ files, at }: GeneratorCase) =>
    async (commit: string, path: string) => {
      const there = at?.[commit] ?? files;
      return Object.hasOwn(there, path) ? Buffer.from(there[path]!) : undefined;
    };
  const ask = (given: GeneratorCase) =>
    generator.propose(pattern(given.pattern), targetFiles({ readFile: readAt(given) }, HEAD));
  const draftsOf = async (given: GeneratorCase) => {
    const answer = await ask(given);
    if ('declined' in answer) throw new Error(answer.declined);
    return answer.drafts;
  };

  describe(`the contract of a generator: ${generator.name}`, () => {
    test('has a name of words with dashes, and a known type', () => {
      expect(generator.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(PROPOSAL_TYPES).toContain(generator.type);
    });

    test.each(under.fixes)('drafts what can be read and done: %#', async (given) => {
      const drafts = await draftsOf(given);
      expect(drafts.length).toBeGreaterThan(0);
      for (const draft of drafts) expectSound(draft, given);
    });

    test.each(under.fixes)('its draft becomes a proposal with a diff: %#', async (given) => {
      const repository = memoryRepository();
      const head = await commitFiles(repository, undefined, given.files);
      const ports = {
        repository: withParts(repository, {
          readFile: async (commit, path) =>
            given.at?.[commit] === undefined
              ? await repository.readFile(commit, path)
              : await readAt(given)(commit, path),
        }),
        head,
        closedChanges: [],
        restored: [],
        openChanges: [],
        knownFixes: new Map(),
        helpedAlike: new Set<string>(),
        proposer: SYSTEM,
        minConfidence: 0,
      };
      const enough = { occurrences: 10_000, calls: 20_000, ...given.pattern };
      const answer = await proposeFix(pattern(enough), ports, [generator]);
      if ('declined' in answer) throw new Error(answer.declined);
      for (const { content } of answer.proposed)
        expect(proposalContentSchema.safeParse(content).error).toBeUndefined();
    });

    test.each(under.declines)('declines in a sentence where it is not sure: %#', async (given) => {
      const answer = await ask(given);
      expect(answer).toHaveProperty('declined', expect.stringMatching(SENTENCES));
    });

    test('gives the same answer to the same question', async () => {
      for (const given of [...under.fixes, ...under.declines])
        expect(await ask(given)).toEqual(await ask(given));
    });

    test('says nothing about patterns of another kind', async () => {
      const own = new Set(under.fixes.map((given) => pattern(given.pattern).subject.kind));
      for (const subject of SUBJECTS.filter(({ kind }) => !own.has(kind)))
        expect(await ask({ pattern: { subject }, files: {} })).toEqual({ drafts: [] });
    });

    test('makes nothing up where the files are gone', async () => {
      for (const given of under.fixes) {
        const answer = await ask({ pattern: given.pattern, files: {} });
        expect('drafts' in answer ? answer.drafts : []).toEqual([]);
      }
    });

    test('hostile names reach no sentence as they are', async () => {
      const nasty = `\u001b[2J\u202e${'`|<b>'.repeat(40)}\n`;
      for (const given of under.fixes) {
        const named = { ...given, pattern: { ...given.pattern, agent: nasty, tool: nasty } };
        for (const draft of await draftsOf(named)) expectSound(draft, named);
      }
    });
  });
}

function expectSound(draft: Draft, { pattern: changes, files }: GeneratorCase): void {
  const { title, change, edits, risk, failuresNeeded, cause, why, harm } = draft;
  expect(title).toMatch(/^\S.{0,118}\S$/);
  for (const text of [title, cause, why, harm]) expect(text).not.toMatch(HIDDEN);
  for (const text of [why, harm]) expect(text).toMatch(SENTENCES);
  expect(cause).toMatch(/\S/);
  expect(RISKS).toContain(risk);
  expect(failuresNeeded).toBeGreaterThanOrEqual(1);
  expect(changeKey(change)).toMatch(/\S/);
  expect(edits.map(({ path }) => path)).toContain(change.file);
  expect(new Set(edits.map(({ path }) => path)).size).toBe(edits.length);
  for (const { path, content } of edits)
    expect(Buffer.from(content ?? '').toString()).not.toBe(files[path]);
  const { subject } = pattern(changes);
  if (change.kind === 'set_value' && subject.kind === 'setting')
    expectOneValue(draft, change, { from: subject.value, text: files[change.file]! });
}

/** The value that the change names differs, and no other. */
function expectOneValue(
  { edits, reach }: Draft,
  change: Draft['change'] & { kind: 'set_value' },
  { from, text }: { readonly from: unknown; readonly text: string },
): void {
  expect(change.from).toEqual(from);
  expect(reach).not.toBeNull();
  expect(edits).toHaveLength(1);
  const edited = Buffer.from(edits[0]!.content ?? '').toString();
  const [before, after] = [valuesOf(change.file, text), valuesOf(change.file, edited)];
  expect(after).toHaveLength(before.length);
  const at = after.findIndex((one, index) => one.text !== before[index]!.text);
  expect(at).not.toBe(-1);
  const [old, now] = [before[at]!, after[at]!];
  expect(now.path).toEqual(change.path);
  // Comments, spaces and line ends stay as well.
  expect(edited).toBe(text.slice(0, old.start) + now.text + text.slice(old.end));
}

function valuesOf(path: string, text: string) {
  const reading = readDocument(path, text);
  if (!reading.ok) throw new Error(reading.why);
  return reading.document.values;
}
