import { describe, expect, test } from 'vitest';
import { compilePrompt, type PromptParts } from './compile.ts';

const PARTS: PromptParts = {
  core: 'Say what you do.\n',
  role: { name: 'implement', text: 'Change as little as you can.' },
  overlays: [
    { name: 'payments', text: 'Amounts are in cents.' },
    { name: 'eu', text: 'Keep personal data in the region.' },
  ],
  skills: [{ name: 'bisect', text: '1. Halve.\n2. Try.\n' }],
  rubric: 'Tests say what changed.',
  anchors: 'Never push to main.',
};

const GOLDEN = `# Core

Say what you do.

# Role: implement

Change as little as you can.

# Overlay: eu

Keep personal data in the region.

# Overlay: payments

Amounts are in cents.

# Skill: bisect

1. Halve.
2. Try.

# Rubric

Tests say what changed.

# Anchors

Never push to main.
`;

describe('a compiled prompt', () => {
  test('is all parts in their order, to the byte', () => {
    const { text, promptDigest } = compilePrompt(PARTS);
    expect(text).toBe(GOLDEN);
    expect(promptDigest).toBe(
      'sha256:5554e05e71f5511bb5b3bf083a4f0056f3f2f09e4ed2384d85045e8b97305390',
    );
  });

  test('is the same whatever order its parts stand in, and however they were saved', () => {
    const saved = {
      ...PARTS,
      core: '\ufeffSay what you do.  \r\n\r\n',
      overlays: [...PARTS.overlays].reverse(),
      skills: [{ name: 'bisect', text: '\n1. Halve.\t\r2. Try.' }],
    };
    expect(compilePrompt(saved)).toEqual(compilePrompt(PARTS));
  });

  test.each([
    ['a word of the core', { core: 'Say what you did.' }],
    ['another role', { role: { name: 'review', text: 'Change as little as you can.' } }],
    ['no anchors', { anchors: undefined }],
    ['a skill more', { skills: [...PARTS.skills, { name: 'a', text: 'x' }] }],
    [
      'blanks at the beginning of a line, which mean something',
      { rubric: '  Tests say what changed.' },
    ],
  ])('has another digest with %s', (_, more) => {
    expect(compilePrompt({ ...PARTS, ...more }).promptDigest).not.toBe(
      compilePrompt(PARTS).promptDigest,
    );
  });

  test('has no heading without text, and is empty without parts', () => {
    const none = { core: ' \n', role: undefined, rubric: undefined, anchors: undefined };
    expect(compilePrompt({ ...none, overlays: [], skills: [{ name: 'x', text: '\n' }] }).text).toBe(
      '',
    );
  });
});
