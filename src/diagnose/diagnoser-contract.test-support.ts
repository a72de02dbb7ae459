/** What every diagnoser promises. A member's test calls it with failures that it explains, and with some that it does not. */
import { describe, expect, test } from 'vitest';
import { CAUSE_LAYERS, type Event, type FailureGroup, type RecentCall } from '../facts/index.ts';
import { patternSchema } from '../facts/schemas.ts';
import { rootCauseOf } from './causes.ts';
import {
  COMMIT,
  examples,
  group,
  overTheDay,
  STEADY,
  settingsOf,
  WINDOW,
} from './failures.test-support.ts';
import { mergeAlike } from './identity.ts';
import { patternOf, scoreOf } from './pattern-of.ts';
import { wordsOfFile } from './references.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
  type KnownGates,
  type TargetEdit,
} from './types.ts';

/** What is there to look at: the first group is the failure that is asked about. */
export interface DiagnoserCase {
  readonly groups: readonly [Partial<FailureGroup>, ...Partial<FailureGroup>[]];
  /** The target's agent files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly edits?: readonly TargetEdit[];
  /** The newest calls, of whatever tool. */
  readonly calls?: readonly RecentCall[];
  /** Of the sessions of the examples, by session. */
  readonly sessions?: ReadonlyMap<string, readonly Event[]>;
  readonly texts?: readonly string[];
  readonly gates?: KnownGates;
}

export interface DiagnoserUnderTest {
  readonly diagnoser: Diagnoser;
  /** Each gives a cause. */
  readonly explains: readonly DiagnoserCase[];
  /** None gives a cause. */
  readonly passesOver: readonly DiagnoserCase[];
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const NASTY = `\u001b[2J\u202e${'`|<b>'.repeat(40)}\n\ud800`;

/** Values of every kind: each is read by some diagnoser. */
const EVERY_KIND =
  'timeout_ms: 800\nwait: 5s\nstrict: true\nmodel: gpt-5\nretries: 0\nnone: ~\ntools: { a: { b: "x" } }\n';

export function diagnosed({
  groups,
  files = {},
  edits = [],
  calls = [],
  sessions = new Map(),
  texts = [],
  gates,
}: DiagnoserCase): {
  readonly failure: Failure;
  readonly evidence: Evidence;
} {
  const all = mergeAlike(groups.map((one) => group(one)));
  const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
  return {
    failure: all[0]!,
    evidence: {
      window: WINDOW,
      all,
      settings,
      commit: COMMIT,
      commits: [],
      edits,
      failureShare: 0.02,
      calls: Map.groupBy(calls, ({ tool }) => tool),
      sessions,
      texts,
      words: new Map(Object.entries(files).map(([file, text]) => [file, wordsOfFile(text)])),
      ...(gates === undefined ? {} : { gates }),
    },
  };
}

export function diagnoserContract(under: DiagnoserUnderTest): void {
  const { diagnoser } = under;
  const explain = (given: DiagnoserCase) => {
    const { failure, evidence } = frozen(diagnosed(given));
    return { causes: diagnoser.explain(failure, evidence), failure, evidence };
  };

  describe(`the contract of a diagnoser: ${diagnoser.name}`, () => {
    test('has a name of words with dashes', () => {
      expect(diagnoser.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    });

    test.each(under.explains)('explains what is its own: %#', (given) => {
      const { causes, failure } = explain(given);
      expect(causes.length).toBeGreaterThan(0);
      expectSound(causes, failure);
    });

    test.each(under.passesOver)('says nothing where its evidence says nothing: %#', (given) => {
      expect(explain(given).causes).toEqual([]);
    });

    test('gives the same answer to the same question, and changes nothing of it', () => {
      for (const given of [...under.explains, ...under.passesOver])
        expect(explain(given).causes).toEqual(explain(given).causes);
    });

    test('gives at most so many causes, however many values there are', () => {
      for (const given of under.explains) {
        const text = Object.values(given.files ?? {})[0] ?? EVERY_KIND;
        const files = Object.fromEntries(
          Array.from({ length: CAUSES_MAX + 50 }, (_, at) => [
            `agents/${at}/researcher.yaml`,
            text,
          ]),
        );
        const { causes, failure } = explain({ ...given, files });
        expectSound(causes, failure);
      }
    });

    test('hostile names, messages and values reach no sentence as they are', () => {
      const key = JSON.stringify(NASTY.slice(0, 150));
      const files = {
        'agents/x.yaml': `${key}: { timeout_ms: 800, on: true, text: ${key} }\n${EVERY_KIND}`,
      };
      for (const { groups } of under.explains) {
        const nasty = { agent: NASTY, tool: NASTY.slice(0, 200), errorCode: NASTY.slice(0, 100) };
        const [first, ...others] = groups.map((one) => ({ ...one, ...nasty }));
        const { causes, failure } = explain({ groups: [first!, ...others], files });
        expectSound(causes, failure);
      }
    });

    test('copes with a failure that nothing is known of', () => {
      const bare = {
        examples: [],
        failedLatency: null,
        succeededLatency: null,
        sessions: 0,
        tool: '',
      };
      const { causes, failure } = explain({ groups: [{ ...bare, template: '', errorCode: '' }] });
      expectSound(causes, failure);
    });

    test('alone it makes a pattern that can be recorded', () => {
      for (const given of under.explains) {
        const { failure, evidence } = diagnosed(given);
        const cause = rootCauseOf(failure, evidence, [diagnoser]);
        const pattern = patternOf(failure, scoreOf(failure, WINDOW), cause, {
          now: STEADY,
          window: WINDOW,
        });
        expect(patternSchema.safeParse(pattern).error).toBeUndefined();
        // How likely it is depends on more than this diagnoser knows.
        expect(cause.weighed[0]!.confidence).toBeGreaterThan(0.1);
        expect(pattern.confidence).toBeGreaterThan(0);
      }
    });
  });
}

function expectSound(causes: readonly Cause[], { examples: known }: Failure): void {
  expect(causes.length).toBeLessThanOrEqual(CAUSES_MAX);
  const ids = known.map(({ id }) => id);
  let last = 1;
  for (const { subject, layer, confidence, reasons, against } of causes) {
    expect(CAUSE_LAYERS).toContain(layer);
    expect(confidence).toBeGreaterThan(0);
    // The strongest first.
    expect(confidence).toBeLessThanOrEqual(last);
    last = confidence;
    expect(patternSchema.shape.subject.safeParse(subject).error).toBeUndefined();
    expect(reasons.length).toBeGreaterThan(0);
    for (const { text, events } of [...reasons, ...against]) {
      expect(text).toMatch(/\S.*\.$/s);
      expect(text).not.toMatch(HIDDEN);
      expect(ids).toEqual(expect.arrayContaining([...events]));
    }
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

/** Messages over the day. */
export const saying = (message: string) => ({ examples: examples(message, overTheDay(20)) });
