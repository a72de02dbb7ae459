import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAgentFile } from './agent-file.ts';

const who = { agent: 'reader', path: 'agents/reader.yaml' };
const good = `
# How it works.
name: reader
prompt: prompts/reader.md
tools:
  look: { timeout_ms: 800, retries: 1 } # short
`;

describe('an agent’s file', () => {
  test('gives the limits of each tool; what it does not know is left alone', () => {
    expect(readAgentFile(good, who)).toEqual({
      ok: true,
      tools: new Map([['look', { timeoutMs: 800, retries: 1 }]]),
    });
  });

  test.each([
    ['timeout_ms: 800', 'timeout_ms: 0', 'timeout_ms of "look" must be a whole number'],
    ['timeout_ms: 800', 'timeout_ms: 800.5', 'found "800.5"'],
    ['timeout_ms: 800', 'timeout_ms: "800"', 'found "800"'],
    ['timeout_ms: 800, ', '', 'found nothing'],
    ['timeout_ms: 800', 'timeout_ms: .inf', 'found "Infinity"'],
    ['retries: 1', 'retries: -1', 'retries of "look" must be'],
    ['retries: 1', 'retries: [1]', 'found a list'],
    ['name: reader', 'name: writer', 'name must be reader, found "writer"'],
    [/ {2}look.*/, '  - look', 'tools must be a map, found a list'],
    [good, 'tools: {', 'agents/reader.yaml cannot be read: line 1:'],
    [good, '', 'name must be reader'],
    [good, 'name: &a [*a]', 'name must be reader, found a list'],
    [good, '#'.repeat(70_000), 'longer than 65536 characters'],
  ])('with %s made %s is broken, and says why', (part, instead, why) => {
    const settings = readAgentFile(good.replace(part, instead), who);
    expect(settings).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  });

  test('may be missing', () => {
    expect(readAgentFile(undefined, who)).toEqual({
      ok: false,
      why: 'agents/reader.yaml is missing',
    });
  });

  test('never throws, whatever stands in it', () => {
    const pieces = fc.constantFrom(
      'name: ',
      'reader',
      '\n',
      'tools:',
      '  ',
      '&a ',
      '*a',
      '[',
      '}',
      '!!map ',
      '<<: ',
      '- ',
      '\t',
      '"',
      'timeout_ms: 1',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          const settings = readAgentFile(text, who);
          return settings.ok || settings.why.startsWith('agents/reader.yaml');
        },
      ),
    );
  });
});
