import { expect, test } from 'vitest';
import { composeSections, parseConfig } from '../config/index.ts';
import { observeSection } from './config-section.ts';

const parse = (text: string) => parseConfig(text, 'hone.yaml', composeSections([observeSection]));

test('an empty file has the defaults', () => {
  expect(parse('')).toMatchObject({
    ok: true,
    config: {
      observe: {
        sources: [],
        allowedDomains: ['api.openai.com', 'api.anthropic.com', 'github.com'],
        allowedPaths: [],
        redactUuids: false,
      },
    },
  });
});

test.each([
  ['sources: [{name: a, path: x}, {name: a, path: y}]', /Two sources have the same name/],
  ['sources: [{name: ../a, path: x}]', /sources/],
  ['allowedDomains: [HTTP://x]', /allowedDomains/],
])('%s is refused', (line, why) => {
  const parsed = parse(`observe:\n  ${line}\n`);
  expect(parsed.ok).toBe(false);
  expect(JSON.stringify(parsed)).toMatch(why);
});
