import { describe, expect, test } from 'vitest';
import { draft, makeContent, OPERATOR } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import {
  type Attestation,
  type AttestationKind,
  PROPOSAL_STATES,
  SYSTEM,
  type VerdictOf,
} from '../facts/index.ts';
import { type PageInput, renderIndex, renderPage } from './index.ts';
import { fenced, inline, line, paragraphs } from './markdown.ts';
import { readSeverities } from './render-index.ts';
import { readHead } from './render-page.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const DIFF = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-800\n+2000\n';

function input(changes: Partial<PageInput> = {}): PageInput {
  const content = changes.content ?? makeContent();
  return {
    proposal: { id: 'p_1', title: content.title, createdAtMs: AT },
    version: 3,
    state: 'pending',
    content,
    diffText: DIFF,
    attestations: [],
    said: new Map(),
    beforeDecision: ['It reaches *everything* at once.'],
    ...changes,
  };
}

function attestation<K extends AttestationKind>(
  kind: K,
  verdict: VerdictOf<K>,
  changes: Partial<Attestation<K>> = {},
): Attestation {
  const made = { ...draft(kind, verdict, digestOf(makeContent())), actor: SYSTEM };
  return { ...made, id: 'att_1', proposalId: 'p_1', atMs: AT, ...changes } as Attestation;
}

describe('a page', () => {
  test('tells what a person said and what a watch measured, made harmless', () => {
    const said = new Map([
      ['att_1', { reason: 'not [now](http://evil)\n# Title', numbers: [] }],
      ['att_2', { reason: 'More calls failed.', numbers: ['error_rate: before 1, since 9'] }],
    ]);
    const attestations = [
      attestation('decision', 'rejected'),
      attestation('monitoring', 'degraded', { id: 'att_2' }),
    ];
    const page = renderPage(input({ attestations, said }));
    expect(page).toContain('- Reason: not ');
    expect(page).not.toContain('\n# Title');
    expect(page).toContain('\n  - More calls failed.\n  - ');
    expect(page).toMatch(/since 9/);
  });

  test('has every part of the template, in order', () => {
    const page = renderPage(input());
    expect(page.match(/^#+ .*$/gm)).toEqual([
      '# Proposal: Wait longer for the search tool',
      '## Problem',
      '## Evidence',
      '## Root cause',
      '## Proposed solution',
      '## Unified diff',
      '## Affected files',
      '## Risk',
      '## Rollback',
      '## Validation',
      '## Review',
      '## Implementation log',
    ]);
    for (const field of [
      '**ID**: p_1',
      '**Created**: 2026-01-02T03:04:05.000Z',
      '**Status**: pending',
      '**Category**: bugfix',
      '**Severity**: medium',
      '**Author**: coder (agent)',
      '**Version**: 3',
      `\`\`\`diff\n${DIFF}\`\`\``,
      '- agents/search.yaml',
      'Not reviewed yet.\n\nIt reaches \\*everything\\* at once.\n',
      '- now: pending',
    ])
      expect(page).toContain(field);
    expect(readHead(page)).toEqual({ version: 3, severity: 'medium' });
  });

  test('tells who decided, how that was verified, and what was done', () => {
    const page = renderPage(
      input({
        attestations: [
          attestation('validation', 'failed', { contentDigest: 'sha256:0' }),
          attestation('validation', 'passed'),
          attestation('decision', 'approved', {
            actor: OPERATOR,
            tier: 'approve',
            evidenceDigest: 'sha256:e',
          }),
        ],
      }),
    );
    expect(page).toContain('- Reviewed by: operator@example.org (human, verified by token)');
    expect(page).toContain('- Decision: approved, tier approve, about the deployment');
    expect(page).toContain(
      '- 2026-01-02T03:04:05.000Z: validation by replay failed, by hone (system, verified by local), about an earlier version of the change',
    );
    expect(page).toContain('validation by replay passed, by hone (system, verified by local)\n');
  });
});

describe('foreign text', () => {
  const HOSTILE = [
    '# heading',
    '- [ ] item',
    '+ item',
    '1. item',
    '12) item',
    '---',
    '=====',
    '> quote',
    '***',
    '___',
    '~~~',
    '```',
    '    code',
    '<script>alert(1)</script>',
    '![x](https://evil.example/a.png)',
    '[x]: https://evil.example',
    '| a | b |',
    '&#60;b&#62;',
    '$x$ *a* _b_ `c`',
    'www.evil.example',
    'a\\',
  ];

  test('becomes no structure in a page, wherever it stands', () => {
    for (const text of [...HOSTILE, HOSTILE.join('\n'), HOSTILE.join('\r')]) {
      const content = makeContent({
        title: text,
        files: [text],
        change: { kind: 'add_file', file: text },
        rationale: text,
        rootCause: text,
        riskAndMitigation: text,
        rollback: text,
        validationPlan: text,
        evidence: [text],
        patternId: text,
        proposer: { kind: 'agent', id: text, verified: 'none' },
      });
      const page = renderPage(input({ content }));
      expect(page.match(/^ {0,3}#+ /gm)).toHaveLength(12);
      expect(page.match(/^ {0,3}(?:[-_*=~+] *)+$/gm)).toEqual(['---']);
      expect(page.match(/^ {0,3}(?:- )?(?:>|```|~~~|\||\d+[.)] |[+*] | {4})/gm)).toEqual([
        '```',
        '```',
      ]);
      expect(page.match(/^- (?:#|-|\+ |\d+[.)] |\[)/gm)).toBeNull();
      expect(page).not.toMatch(/<(?!\n)|(?<!\\)\]\(|https?:\/\/|www\./);
    }
  });

  test('a diff cannot end its fence, and hides nothing', () => {
    const text = '+```\n+````\n# out\n+a\rb\u202ec\u001b[2J';
    const block = fenced(text, 'diff');
    expect(block.startsWith('`````diff\n')).toBe(true);
    expect(block.endsWith('\n`````')).toBe(true);
    expect(block.slice(5, -5)).not.toContain('`````');
    expect(block).toContain('+a⟨U+000D⟩b⟨U+202E⟩c⟨U+001B⟩[2J');
    expect(fenced('x'.repeat(200_000), 'diff').length).toBeLessThan(101_000);
  });

  test.each([
    ['timeout_ms of web_search', 'timeout_ms of web_search'],
    ['_a_ b_ `c` | d', '\\_a\\_ b\\_ \\`c\\` \\| d'],
    ['a\nb\tc', 'a b c'],
    ['https://x.example', 'https&#58;//x.example'],
    ['\\|', '\\\\\\|'],
  ])('%j inline is %j', (text, expected) => {
    expect(inline(text)).toBe(expected);
  });

  test('lines that would begin something begin with a backslash', () => {
    expect(line('# a')).toBe('\\# a');
    expect(line('3. a')).toBe('3\\. a');
    expect(line('2026 was')).toBe('2026 was');
    expect(paragraphs('a\n\n\n- b\r\nc')).toBe('a\n\n\\- b\n\nc');
  });
});

describe('the index', () => {
  const row = {
    id: 'p_1',
    title: 'Wait | longer',
    state: 'pending',
    createdAtMs: AT,
    severity: 'high',
    page: '2026/01/p_1-wait.md',
  } as const;

  test('PROP-5 lists the newest first, with statistics', () => {
    const rows = [
      row,
      {
        ...row,
        id: 'p_2',
        createdAtMs: AT + 86_400_000,
        state: 'implemented',
        page: null,
      } as const,
      { ...row, id: 'p_3', severity: null } as const,
    ];
    expect(renderIndex(rows)).toBe(
      [
        '# Proposals',
        '',
        '| Date | ID | Title | Status | Severity |',
        '|---|---|---|---|---|',
        '| 2026-01-03 | p_2 | Wait \\| longer | implemented | high |',
        '| 2026-01-02 | [p_3](2026/01/p_1-wait.md) | Wait \\| longer | pending | — |',
        '| 2026-01-02 | [p_1](2026/01/p_1-wait.md) | Wait \\| longer | pending | high |',
        '',
        '## Statistics',
        '',
        '- Proposals: 3',
        '- By status: pending 2, implemented 1',
        '- By severity: high 2',
        '',
      ].join('\n'),
    );
  });

  test('its severities can be read back', () => {
    const rows = [...PROPOSAL_STATES].map((state, at) => ({
      ...row,
      id: `p_${at}`,
      state,
      title: '| low | `x` | critical |',
    }));
    const found = readSeverities(renderIndex(rows));
    expect(found.size).toBe(PROPOSAL_STATES.length);
    expect([...found.values()].every((severity) => severity === 'high')).toBe(true);
    expect(readSeverities('| x | y |\n| 2026-01-02 | p_1 | t | s | worst |\n').size).toBe(0);
  });

  test('of nothing is an empty table', () => {
    expect(renderIndex([])).toContain('- Proposals: 0\n- By status: none');
  });
});
