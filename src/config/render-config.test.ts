import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { honeSections } from '../loop/sections.ts';
import { composeSections, field, group, section } from './fields.ts';
import { expectConfig, parseConfig } from './parse-config.ts';
import { renderConfig } from './render-config.ts';
import { renderConfigReference } from './render-reference.ts';
import type { Detected } from './types.ts';
import { cron } from './value-types.ts';

const schema = composeSections(honeSections);
const defaults = schema.parse({});

const nothing: Detected = {
  languages: [],
  packageManagers: [],
  testRunners: [],
  testCommand: '',
  ci: [],
  agentFiles: [],
  mcpConfigs: [],
  truncated: false,
};

const unasked = () => field(z.string(), '', { weakens: 'any', comment: 'Not asked.' });

function parsed(text: string) {
  return expectConfig(parseConfig(text, 'hone.yaml', schema)).config;
}

describe('CONFIG-2: the file of hone init', () => {
  const text = renderConfig(honeSections, nothing);

  test('parses back to exactly the defaults', () => {
    expect(parsed(text)).toEqual(defaults);
  });

  test('has the keys that are asked and no other, each with a comment above it', () => {
    const lines = text.split('\n');
    const keys = lines.flatMap((line) => /^ *([A-Za-z]+):/.exec(line)?.[1] ?? []);
    expect(keys).toEqual([
      'target',
      'agentFiles',
      'observe',
      'sources',
      'deploy',
      'branch',
      'notify',
      'webhooks',
    ]);
    const bare = lines.filter(
      (line, at) => /^ *[A-Za-z]+:/.test(line) && !/^ *# \S/.test(lines[at - 1] ?? ''),
    );
    expect(bare).toEqual([]);
    expect(text).toContain('hone config show --all');
    expect(text).toContain('docs/reference/configuration.md');
  });

  test('an example is valid as soon as its # is removed, and holds nothing before', () => {
    const example = { name: 'agents', path: '/var/log/agents' };
    const list = z.array(z.strictObject({ name: z.string(), path: z.string() }));
    const asked = { weakens: 'any', comment: 'Where it is.', asked: { example } } as const;
    const places = section('places', 'Places.', {
      inner: group('A group.', { list: field(list, [], asked), other: unasked() }),
      more: group('Another group.', { one: unasked() }),
    });
    const rendered = renderConfig([places], nothing);
    expect(rendered).not.toMatch(/^ *(other|more):/m);
    const read = (source: string) =>
      expectConfig(parseConfig(source, 'x', composeSections([places]))).config.places.inner.list;
    expect(read(rendered)).toEqual([]);
    expect(read(rendered.replace(/# (?=\{)/, ''))).toEqual([example]);
  });

  test('is at most 80 columns wide and ends with one line break', () => {
    const wide = text.split('\n').filter((line) => line.length > 80 || line.trimEnd() !== line);
    expect(wide).toEqual([]);
    expect(text).toMatch(/[^\n]\n$/);
  });

  test('puts cron expressions in quotes, so that an edit to */10 stays a text', () => {
    const when = section('when', 'When.', {
      cron: field(cron(), '0 1 * * *', { weakens: 'any', comment: 'When.', asked: {} }),
    });
    expect(renderConfig([when], nothing)).toContain('cron: "0 1 * * *"');
  });

  test('says where a list of agent files goes', () => {
    const agentFiles = ['.claude/**', '.github/copilot-instructions.md', 'AGENTS.md', '**/x/**'];
    const found = { ...nothing, agentFiles };
    expect(parsed(renderConfig(honeSections, found)).target).toEqual({
      ...defaults.target,
      agentFiles,
    });
  });

  test('whatever was found comes back, and the rest stays default', () => {
    const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 });
    const odd = fc.constantFrom(
      'null',
      'true',
      '1',
      '~',
      '- a',
      '# x',
      'a: b',
      '*',
      '"',
      ' a ',
      '|',
    );
    const words = fc.array(fc.oneof(word, odd), { maxLength: 12 });
    const detected = fc.record({
      languages: words,
      packageManagers: words,
      testRunners: words,
      testCommand: fc.oneof(word, odd, fc.constant('')),
      ci: words,
      agentFiles: words,
      mcpConfigs: words,
      truncated: fc.boolean(),
    });
    fc.assert(
      fc.property(detected, (found) => {
        const rendered = renderConfig(honeSections, found);
        expect(parsed(rendered)).toEqual({
          ...defaults,
          target: { ...defaults.target, agentFiles: found.agentFiles },
        });
        expect(renderConfig(honeSections, found)).toBe(rendered);
      }),
      { numRuns: 150 },
    );
  });

  test('wraps what does not fit', () => {
    const long = section('long', 'word '.repeat(40).trim(), {
      list: field(z.array(z.string()), Array(9).fill('a dozen letters'), {
        weakens: 'any',
        comment: 'comment '.repeat(20).trim(),
        asked: {},
      }),
    });
    const rendered = renderConfig([long], nothing);
    expect(rendered.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const result = parseConfig(rendered, 'x', composeSections([long]));
    expect(expectConfig(result).config.long.list).toHaveLength(9);
  });
});

function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1;
  const children = Object.values(value);
  // One that takes names of the team's own has none by default, and is a key all the same.
  if (children.length === 0) return 1;
  return children.reduce((sum: number, child) => sum + leavesOf(child), 0);
}

describe('the reference', () => {
  const reference = renderConfigReference(honeSections);

  test('has a row for every key, with default, words and what it takes', () => {
    expect(reference).toContain(
      '| `lease.ttl` | `30s` | A holder that is silent this long loses its lease. | a duration from 1s to 1h, written like 90s, 5m, 24h or 7d |',
    );
    expect(reference).toContain(
      '| `identity.verification.require` | `token` | What a decision needs at least, by tier. token,',
    );
    expect(reference).toContain('| `switches.deploy` | `enforce` |');
    expect(reference).toContain('off, observe or enforce |');
    const rows = reference.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(leavesOf(defaults));
    for (const row of rows) expect(row.split(' | ')).toHaveLength(5);
  });
});
