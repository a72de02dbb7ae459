/**
 * No sequence of calls reaches `deploying` without the attestations it needs. The checker knows the
 * ledger only: it reads what was recorded up to the step, and judges it by rules of its own.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type History, history, play } from '../../test/kernel-histories.ts';
import { placeAll } from '../../test/ledger.ts';
import { MODES } from '../../test/proposals.ts';
import { openTimedStore } from '../../test/timed-store.ts';
import { idMaker, seededRandom } from '../base/index.ts';
import { type Entry, TIERS } from '../facts/index.ts';
import { LedgerView } from '../ledger/index.ts';

type Said = Record<string, unknown>;

/** What stands against a deployment, by the entries before it. */
function objections(before: readonly Entry[], { type, risk, automaticTiers }: History): string[] {
  const digest = before.findLast(({ type: of }) => /created|amended/.test(of))!.data[
    'contentDigest'
  ];
  const about = before.filter(
    (one) => one.type === 'proposal.attested' && one.data['contentDigest'] === digest,
  );
  const newest = (kind: string) => about.findLast(({ data }) => data['kind'] === kind);
  const at = (entry: Entry | undefined) => (entry === undefined ? -1 : before.indexOf(entry));
  const [vetting, backup] = ['vetting', 'backup'].map(newest);
  const decisions = about.filter(
    ({ data }) =>
      data['kind'] === 'decision' && (data['allows'] as { what: string }).what === 'deployment',
  );
  const decided = decisions.findLast(
    ({ data }) => data['verdict'] === 'approved' || data['verdict'] === 'rejected',
  );
  // Whatever mode ever spoke: what it said last.
  const modes = ['canary', ...MODES].flatMap((mode) => {
    const last = about.findLast(
      ({ data }) => data['kind'] === 'validation' && data['mode'] === mode,
    );
    return last === undefined ? [] : [last];
  });
  const verdicts = modes.map(({ data }) => data['verdict']);
  const verdict = verdicts.every((one) => one === 'passed') ? 'passed' : 'less';
  const found: string[] = [];
  if (vetting?.data['verdict'] !== 'passed') found.push('vetting');
  if (verdicts.includes('failed')) found.push('a failed mode');
  if (!MODES.every((mode) => modes.some(({ data }) => data['mode'] === mode)))
    found.push('a missing mode');
  if (decided?.data['verdict'] !== 'approved') return [...found, 'decision'];
  const words = decisions.filter(({ data }) => data['verdict'] !== 'escalated');
  const wantsChanges = words.some(
    (one) =>
      one.data['verdict'] === 'changes_requested' &&
      words.findLast(({ actor: { id } }) => id === one.actor.id) === one,
  );
  if (wantsChanges) found.push('changes requested');
  const attested = before.filter(
    ({ type: of, actor: { kind } }) => of === 'proposal.attested' && kind === 'human',
  );
  const hold = attested.findLast(({ data }) => data['kind'] === 'hold');
  if (hold?.data['verdict'] === 'paused') found.push('paused');
  const isEscalated = attested.some(({ data }) => data['verdict'] === 'escalated');
  if ([vetting, ...modes].some((one) => at(decided) < at(one)))
    found.push('decision before evidence');
  if (decided.data['evidenceDigest'] !== shownDigest(digest, vetting, modes))
    found.push('evidence');

  const measured = modes.map(({ data }) => data['improvesTarget']);
  const improves = measured.includes(true) && !measured.includes(false);
  const strict =
    isEscalated || risk === 'high' || ['formula_change', 'behavior_fix', 'meta'].includes(type);
  const computed =
    strict || verdict !== 'passed'
      ? 'require'
      : risk !== 'low'
        ? 'approve'
        : type === 'constant_tune' && improves
          ? 'auto'
          : 'notify';
  const automatic = (automaticTiers as readonly string[]).includes(computed);
  const tier = computed === 'require' || computed === 'approve' || automatic ? computed : 'approve';
  if (TIERS.indexOf(decided.data['tier'] as never) < TIERS.indexOf(tier as never))
    found.push('tier');
  const { actor } = decided;
  if (actor.kind === 'agent') found.push('agent');
  if (!automatic) {
    if (actor.kind !== 'human') found.push('no person');
    if (tier === 'require' && actor.verified !== 'token') found.push('not verified');
  }
  if (backup?.data['verdict'] !== 'made' || at(backup) < at(decided)) found.push('backup');
  return found;
}

function shownDigest(digest: unknown, vetting: Entry | undefined, modes: readonly Entry[]): string {
  const shown = ({ data, artifacts }: Entry): Said => ({
    id: data['attestationId'],
    verdict: data['verdict'],
    artifacts,
  });
  const validations = modes.map((one) => ({ mode: one.data['mode'], ...shown(one) }));
  const bytes = canonicalize({ digest, vetting: vetting ? shown(vetting) : null, validations })!;
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

describe.each([
  ['memory', 400],
  ['postgres', 25],
] as const)('LEDGER-1 the kernel on %s', (kind, numRuns) => {
  test('no sequence of calls deploys without the attestations it needs', async () => {
    const opened = await openTimedStore(kind);
    const { store, clock } = opened;
    const newId = idMaker(clock, seededRandom(3));
    const view = new LedgerView(store);
    let deployments = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const id = await play({ store, newId, advanceMs: (ms) => clock.advance(ms) }, one);
        await placeAll(store);
        const placed = await view.entries({ subject: `proposal:${id}`, limit: 1000 });
        const entries = placed.map(({ entry }) => entry);
        for (const [at, entry] of entries.entries()) {
          if (entry.type !== 'proposal.advanced' || entry.data['to'] !== 'deploying') continue;
          deployments += 1;
          expect(objections(entries.slice(0, at), one)).toEqual([]);
        }
        refused += entries.some(({ data }) => data['to'] === 'deploying') ? 0 : 1;
        // Every change of state is one entry: the row is where its last entry left it.
        const [row] = await store.all(
          'SELECT version, state FROM proposal_proposals WHERE id = ?',
          [id],
        );
        expect(row!['version']).toBe(entries.length);
      }),
      { numRuns },
    );
    await opened[Symbol.asyncDispose]();
    // Both happened, so the property is not true for want of trying.
    expect(deployments).toBeGreaterThan(numRuns / 20);
    expect(refused).toBeGreaterThan(numRuns / 20);
  });
});
