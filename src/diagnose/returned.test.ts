/** A failure that is back after its fix. */
import { describe, expect, test } from 'vitest';
import { CAUSE_LAYERS, type PlaceBin } from '../facts/index.ts';
import {
  COMMIT,
  group,
  HOUR_MS,
  LIMITS,
  RESEARCHER,
  settingsOf,
  WINDOW,
} from './failures.test-support.ts';
import { findPatterns, type PatternsInput } from './find-patterns.ts';
import type { EarlierFix } from './types.ts';

const FILE = 'agents/researcher.yaml';
const HOURS = 240;
/** Ill since then: `hour` counts back from the end of the window. */
const SINCE = 20;

/** Healthy hours have one failure in a hundred calls, ill ones thirty. */
function history(isIll: (hoursAgo: number) => boolean, calls = 100): PlaceBin[] {
  return Array.from({ length: HOURS }, (_, at) => {
    const hoursAgo = HOURS - at;
    const bad = Math.round((isIll(hoursAgo) ? 0.3 : 0.01) * calls);
    const all = { bad, all: calls, toolCalls: calls };
    const timed = { timed: calls - bad, timedMs: (calls - bad) * 200 };
    const atMs = WINDOW.toMs - hoursAgo * HOUR_MS;
    return { atMs, ...all, ...timed, othersCalls: 0, othersFailed: 0 };
  });
}

const BACK = history((ago) => ago <= SINCE || ago > 150);
const fix = (daysAgo: number, layer: EarlierFix['layer'] = 'settings'): EarlierFix => ({
  ...{ proposalId: 'p_fix', layer },
  atMs: WINDOW.toMs - daysAgo * 24 * HOUR_MS,
});

function found(fixes: readonly EarlierFix[], more: Partial<PatternsInput> = {}, bins = BACK) {
  const input = {
    ...{ window: WINDOW, groups: [group({ history: bins })], commit: COMMIT, commits: [] },
    ...{ settings: settingsOf(FILE, RESEARCHER), limits: LIMITS, known: [] },
    ...more,
  };
  const [{ id } = { id: '' }] = findPatterns(input).patterns;
  return findPatterns({ ...input, fixed: new Map([[id, fixes]]) }).patterns[0]!;
}

describe('LRN-4 a pattern that returns after its fix', () => {
  test('is diagnosed below the layer of the fix, one severity higher, and says so', () => {
    const first = found([]);
    expect(first).toMatchObject({ layer: 'settings', severity: 'medium' });
    expect(first.returned).toBeUndefined();
    const back = found([fix(6)]);
    expect(CAUSE_LAYERS.indexOf(back.layer)).toBeGreaterThan(CAUSE_LAYERS.indexOf('settings'));
    expect(back).toMatchObject({
      severity: 'high',
      returned: { proposalId: 'p_fix', layer: 'settings' },
    });
    expect(back.subject).not.toMatchObject({ kind: 'setting' });
    expect(back.considered?.some(({ layer }) => layer === 'settings')).toBe(false);
    expect(back.reasons.join(' ')).toContain(
      'It is BACK: p_fix fixed it in the settings layer on 2025-12-28, and it was gone for a day at least.',
    );
  });

  test('a limit that is met again at the value that the fix set was outgrown', () => {
    const set = { place: `${FILE}#tools.web_search.timeout_ms`, to: 800 };
    const outgrown = found([{ ...fix(6), set }]);
    expect(outgrown).toMatchObject({
      ...{ layer: 'settings', severity: 'high', returned: { proposalId: 'p_fix' } },
      subject: { kind: 'setting', value: 800 },
    });
    for (const other of [
      { ...set, to: 1200 },
      { ...set, place: `${FILE}#tools.fetch_page.timeout_ms` },
    ])
      expect(found([{ ...fix(6), set: other }]).subject).not.toMatchObject({ kind: 'setting' });
  });

  test('where nothing shows anything deeper, the next layer is named, as unsure as that is', () => {
    for (const [layer, next] of [
      ['settings', 'tool'],
      ['environment', 'environment'],
    ] as const) {
      const silent = {
        settings: [],
        groups: [group({ history: BACK, template: 'no', examples: [] })],
      };
      expect(found([fix(6, layer)], silent)).toMatchObject({ layer: next, confidence: 0.1 });
    }
  });

  test('of several fixes the deepest counts', () => {
    const fixes = [fix(6, 'settings'), fix(5, 'tool'), fix(4, 'skill')];
    expect(found(fixes).returned?.layer).toBe('tool');
  });

  test('one that never went, comes every day, or was there before the fix, is not back', () => {
    const usual = { layer: 'settings', severity: 'medium' };
    // Gone by night only.
    const daily = history((ago) => ago % 24 < 12);
    expect(found([fix(6)], {}, daily)).toMatchObject({ layer: 'settings' });
    expect(found([fix(6)], {}, daily).returned).toBeUndefined();
    expect(
      found(
        [fix(6)],
        {},
        history(() => true),
      ),
    ).toMatchObject(usual);
    // Decided while it was there, or less than a day before it was.
    expect(found([fix(0.5)])).toMatchObject(usual);
    expect(found([fix(1.2)])).toMatchObject(usual);
    // So few calls that nothing would have been seen of it.
    const quiet = BACK.map((bin) => (bin.bad > 1 ? bin : { ...bin, bad: 0, all: 0, timed: 0 }));
    expect(found([fix(6)], {}, quiet).returned).toBeUndefined();
  });

  test('what somebody broke again since is no deeper cause', () => {
    const commits = [
      {
        ...{ id: 'd'.repeat(40), title: 'Wait less', paths: [FILE] },
        atMs: WINDOW.toMs - (SINCE + 0.2) * HOUR_MS,
      },
    ];
    const [commit] = commits;
    const edits = [
      {
        kind: 'value' as const,
        ...{ commit: commit!.id, parent: COMMIT, atMs: commit!.atMs, file: FILE },
        ...{ path: ['tools', 'web_search', 'timeout_ms'], before: 3000, after: 800 },
      },
    ];
    expect(found([fix(6)], { commits, edits })).toMatchObject({
      ...{ layer: 'settings', returned: { proposalId: 'p_fix' }, severity: 'high' },
      subject: { kind: 'setting', before: { value: 3000 } },
    });
  });
});
