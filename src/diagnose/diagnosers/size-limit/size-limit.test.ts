import { describe, expect, test } from 'vitest';
import { callsWithSizes } from '../../calls.test-support.ts';
import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { COMMIT, group, settingsOf, WINDOW } from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { sizeLimit } from './size-limit.ts';

const CUT = {
  ...saying('unexpected end of JSON'),
  template: 'unexpected end of JSON',
  errorCode: 'length',
};
const NAMED = {
  ...saying('the answer was cut at 700 tokens'),
  template: 'the answer was cut at <*> tokens',
  errorCode: 'length',
};
const file = (text: string) => ({ 'agents/researcher.yaml': `name: researcher\n${text}` });
const cut = callsWithSizes({ cut: 700 });
const refused = callsWithSizes({ refused: 2500 });

diagnoserContract({
  diagnoser: sizeLimit,
  explains: [
    { groups: [CUT], calls: cut, files: file('web_search: { k5: 700 }\n') },
    { groups: [CUT], calls: refused, files: file('web_search: { max_input: 2500 }\n') },
    { groups: [NAMED], files: file('web_search: { max_output: 700 }\n') },
    { groups: [CUT], calls: cut },
  ],
  passesOver: [
    { groups: [{}], calls: cut, files: file('max_tokens: 700\n') },
    { groups: [CUT], calls: callsWithSizes({}), files: file('max_tokens: 700\n') },
    { groups: [CUT], files: file('max_tokens: 700\n') },
    { groups: [NAMED], files: file('web_search: { retries: 700 }\n') },
  ],
});

function aimOf(given: Parameters<typeof callsWithSizes>[0], text: string) {
  const all = mergeAlike([group(CUT)]);
  const [cause] = sizeLimit.explain(all[0]!, {
    window: WINDOW,
    all,
    settings: settingsOf('agents/researcher.yaml', `name: researcher\n${text}`),
    commit: COMMIT,
    commits: [],
    failureShare: 0.02,
    calls: new Map([['web_search', callsWithSizes(given)]]),
  });
  return cause!.subject.kind === 'setting' ? cause!.subject : undefined;
}

describe('how long texts may be', () => {
  test('long enough for nearly all answers, by those that were not cut', () => {
    const subject = aimOf({ cut: 700 }, 'web_search: { max_tokens: 700, timeout_ms: 700 }\n');
    expect(subject).toMatchObject({ path: ['web_search', 'max_tokens'], limits: 'tokens' });
    // Without the limit 99.5 % of them have at most 1 780 tokens.
    expect(subject!.aim!.value).toBeGreaterThan(1300);
    expect(subject!.aim!.value).toBeLessThan(2800);
  });

  test('long enough for nearly all inputs, by all of them', () => {
    const subject = aimOf({ refused: 2500 }, 'web_search: { max_input: 2500, cache: 2510 }\n');
    expect(subject!.path).toEqual(['web_search', 'max_input']);
    expect(subject!.aim!.value).toBeGreaterThan(5000);
    expect(subject!.aim!.value).toBeLessThan(9000);
  });

  test('of nobody in particular it is the surer the fewer numbers there are', () => {
    const all = mergeAlike([group(CUT)]);
    const sureAmong = (others: number) => {
      const text = Array.from({ length: others }, (_, at) => `const N${at} = ${at + 2};\n`).join(
        '',
      );
      const [cause] = sizeLimit.explain(all[0]!, {
        ...{ window: WINDOW, all, commit: COMMIT, commits: [], failureShare: 0.02 },
        settings: settingsOf('bots/notes.ts', `const BUDGET = 700;\n${text}`),
        calls: new Map([['web_search', cut]]),
      });
      expect(cause!.subject).toMatchObject({ kind: 'setting', path: ['BUDGET'] });
      return cause!.confidence;
    };
    expect(sureAmong(2)).toBeCloseTo(0.9);
    expect(sureAmong(20)).toBeLessThan(0.75);
    expect(sureAmong(200)).toBeLessThan(0.3);
  });

  test('a number of another agent is not blamed', () => {
    expect(aimOf({ cut: 700 }, 'agents: { other: { max_tokens: 700 } }\n')).toBeUndefined();
  });
});

describe('what messages name', () => {
  const causes = (messages: readonly string[]) => {
    const { examples } = group();
    const said = examples.map((one, at) => ({ ...one, message: messages[at % messages.length]! }));
    const all = mergeAlike([group({ ...CUT, examples: said })]);
    return sizeLimit.explain(all[0]!, {
      window: WINDOW,
      all,
      settings: settingsOf('a.yaml', 'name: researcher\nweb_search: { max_output: 700 }\n'),
      commit: COMMIT,
      commits: [],
      failureShare: 0.02,
    });
  };
  const [named, silent] = ['the answer was cut at 700 tokens', 'the answer was cut'];

  test('one of four that name the number is enough where the others name none', () => {
    const [cause] = causes([named, silent, silent, silent]);
    expect(cause?.subject).toMatchObject({ path: ['web_search', 'max_output'] });
    expect(cause?.reasons.at(-1)?.text).toContain('5 of 20 messages');
  });

  test('not where the others name other numbers, or too few name it', () => {
    const others = ['of 10', 'of 20', 'of 30'].map((one) => `the answer was cut, ${one} parts`);
    expect(causes([named, ...others])).toEqual([]);
    expect(causes([named, ...Array<string>(9).fill(silent)])).toEqual([]);
  });
});
