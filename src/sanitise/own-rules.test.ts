import { describe, expect, test } from 'vitest';
import { patternProblem } from './own-pattern.ts';
import { sanitise } from './sanitise.ts';
import type { OwnRule, SanitiserRules } from './types.ts';

const rules = (more: Partial<SanitiserRules>): SanitiserRules => ({
  allowedDomains: [],
  allowedPaths: [],
  redactUuids: false,
  ...more,
});
const own = (...list: OwnRule[]) => rules({ rules: list });

describe('OBS-4 own rules', () => {
  const employee: OwnRule = { name: 'employee', pattern: 'EMP-\\d{6}' };

  test.each([
    [employee, 'asked by EMP-004711.', 'asked by [REDACTED:EMPLOYEE].'],
    [{ ...employee, mark: 'STAFF' }, 'EMP-004711', '[REDACTED:STAFF]'],
    [
      { name: 'case no', pattern: '[A-Z]{2}\\d+\\/\\d{2}' },
      'see AB1234/26',
      'see [REDACTED:CASE_NO]',
    ],
    [{ name: 'two', pattern: 'abcd|wxyz\\d' }, 'abcd wxyz7', '[REDACTED:TWO] [REDACTED:TWO]'],
  ])('%j makes of %j %j', (rule, text, expected) => {
    const { text: shown, replaced } = sanitise(text, own(rule));
    expect(shown).toBe(expected);
    expect(replaced.own).toBeGreaterThan(0);
    expect(sanitise(shown, own(rule)).text).toBe(expected);
  });

  test('a pattern begins at the beginning of a word, and inside no mark', () => {
    expect(sanitise('XEMP-004711', own(employee)).text).toBe('XEMP-004711');
    const odd = { name: 'odd', pattern: 'REDACTED' };
    expect(sanitise('mail a@b.org', own(odd)).text).toBe('mail [REDACTED:EMAIL]');
  });

  test.each([
    ['', /1 to 200/],
    ['abc', /at least 4/],
    ['(a+)+b', /not part of the language/],
    ['a.*b', /not part of the language/],
    ['abcd\\1', /not part of the language/],
    ['\\w+\\d\\d\\d\\d', /takes signs that a later part needs/],
    ['abcd\\d{1,9999}', /not part of the language|at most/],
    ['[z-a]abcd', /upside down/],
  ])('the pattern %j is refused', (pattern, why) => {
    expect(patternProblem(pattern)).toMatch(why);
    expect(() => sanitise('text of some length', own({ name: 'x', pattern }))).toThrow();
  });

  test('the slowest pattern takes time linear in the text', () => {
    const slow = own({ name: 'slow', pattern: '[a ]{1,256}[^a ]bcd' });
    const text = 'a '.repeat(64 * 1024);
    const start = process.cpuUsage().user;
    sanitise(text, slow);
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(4000);
  });
});

test('OBS-4 single kinds are switched off, and others are not', () => {
  const kept = rules({ keepKinds: ['phone', 'email'] });
  const text = 'call +49 30 901820 or a@b.org with sk_live_Zk3Qp9LmX2vB7nT4wR8sY1cD';
  expect(sanitise(text, kept).text).toBe('call +49 30 901820 or a@b.org with [REDACTED:API_KEY]');
});

test('OBS-4 equal values have equal marks where a suffix is asked for', () => {
  const suffixOf = (value: string) => (value === 'a@b.org' ? 'kkkkkkkk' : 'mmmmmmmm');
  const { text } = sanitise('a@b.org, c@d.org, a@b.org, 8.8.8.8', rules({ suffixOf }));
  expect(text).toBe(
    '[REDACTED:EMAIL:kkkkkkkk], [REDACTED:EMAIL:mmmmmmmm], [REDACTED:EMAIL:kkkkkkkk], [EXTERNAL_IP:mmmmmmmm]',
  );
  expect(sanitise(text, rules({ suffixOf })).text).toBe(text);
});
