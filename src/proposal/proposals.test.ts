import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import {
  CODER,
  decision,
  draft,
  GATE,
  makeContent,
  OPERATOR,
  validations,
} from '../../test/proposals.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { makeArtifact, readArtifact } from '../artifact/index.ts';
import { idMaker, seededRandom } from '../base/index.ts';
import { PROPOSAL_STATES, type ProposalContent, type ProposalState } from '../facts/index.ts';
import { KillSwitch } from '../policy/index.ts';
import {
  AMENDABLE_STATES,
  answersSince,
  countProposals,
  deploymentsSince,
  findTransition,
  isFinal,
  listProposals,
  Proposals,
  planAdvance,
  readDossier,
  TRANSITIONS,
} from './index.ts';

describe('the state table', () => {
  test('is the one that DESIGN.md draws', () => {
    const drawn = PROPOSAL_STATES.map((from) => {
      const to = PROPOSAL_STATES.filter((state) => findTransition(from, state) !== undefined);
      return `${from} -> ${to.join(' ')}`.trim();
    });
    expect(drawn).toEqual([
      'draft -> vetted quarantined rejected superseded aborted',
      'vetted -> validating quarantined superseded aborted',
      'validating -> validated failed inconclusive superseded aborted',
      'validated -> validating pending superseded aborted',
      'failed -> monitoring superseded aborted',
      'inconclusive -> validating pending superseded aborted',
      'pending -> validating approved monitoring rejected superseded aborted',
      'approved -> validating deploying monitoring rejected superseded aborted',
      'deploying -> pr_open monitoring reverted aborted',
      'pr_open -> monitoring reverted aborted',
      'monitoring -> implemented reverted',
      'implemented -> reverted',
      'quarantined -> draft rejected superseded aborted',
      'rejected -> monitoring',
      'superseded -> monitoring',
      'reverted ->',
      'aborted -> monitoring',
    ]);
  });

  test('has one rule per step, and one way into deploying, through the gate', () => {
    for (const from of PROPOSAL_STATES)
      for (const to of PROPOSAL_STATES) {
        const rules = TRANSITIONS.filter((rule) => rule.from.includes(from) && rule.to === to);
        expect(rules.length).toBeLessThanOrEqual(1);
      }
    const ways = TRANSITIONS.filter(({ to }) => to === 'deploying');
    expect(ways).toMatchObject([{ from: ['approved'], gate: 'deploy' }]);
  });

  test('what is final cannot be amended, and what is deployed neither', () => {
    const unamendable = PROPOSAL_STATES.filter((state) => !AMENDABLE_STATES.includes(state));
    expect(unamendable).toEqual(
      expect.arrayContaining(['deploying', 'pr_open', 'monitoring', 'implemented']),
    );
    for (const state of PROPOSAL_STATES.filter(isFinal)) expect(unamendable).toContain(state);
  });
});

describe.each(['memory', 'postgres'] as const)('the kernel on %s', (kind) => {
  const open = storePerTest(kind);
  const kernel = () => new Proposals(open().store, idMaker(open().clock, seededRandom(7)));
  const advance = (id: string, to: ProposalState, actor = OPERATOR) =>
    kernel().advance(id, { to, actor, reason: 'test', gate: GATE });
  const stateOf = async (id: string) => (await readDossier(open().store, id)).proposal.state;

  /** Everybody does their part, up to the gate. */
  const approved = async (proposals = kernel()) => {
    const { id, digest } = await proposals.create(makeContent());
    const step = async (to: ProposalState) =>
      expect(
        await proposals.advance(id, { to, actor: OPERATOR, reason: 'test', gate: GATE }),
      ).toEqual({
        done: true,
      });
    await proposals.attest(id, draft('vetting', 'passed', digest));
    await step('vetted');
    await step('validating');
    for (const one of validations('passed', digest, { improvesTarget: true }))
      await proposals.attest(id, one);
    await step('validated');
    await step('pending');
    await proposals.attest(id, decision(await readDossier(open().store, id)));
    await step('approved');
    await proposals.attest(id, draft('backup', 'made', digest));
    return { id, digest, proposals, step };
  };

  test('a proposal goes the whole way, and every step is recorded with its actor', async () => {
    const { id, digest, proposals, step } = await approved();
    await step('deploying');
    await step('pr_open');
    await proposals.attest(id, draft('deployment', 'done', digest));
    await step('monitoring');
    await proposals.attest(id, draft('monitoring', 'stable', digest));
    await step('implemented');
    const entries = await recorded(open().store);
    const moves = entries.filter(({ type }) => type === 'proposal.advanced');
    expect(moves.map(({ data }) => data['to'])).toEqual(
      'vetted validating validated pending approved deploying pr_open monitoring implemented'.split(
        ' ',
      ),
    );
    expect(entries.every(({ actor }) => actor.id !== '')).toBe(true);
    expect(entries.every(({ subject }) => subject === `proposal:${id}`)).toBe(true);
    expect(await countProposals(open().store)).toEqual({ implemented: 1 });
    const listed = await listProposals(open().store, { states: ['implemented'], limit: 9 });
    expect(listed).toMatchObject([{ id, version: entries.length, digest }]);
    const answers = await answersSince(open().store, 0);
    expect(answers).toMatchObject([{ proposalId: id, verdict: 'approved', isByHone: false }]);
    expect(answers[0]!.waitedMs).toBeGreaterThanOrEqual(0);
    expect(await answersSince(open().store, answers[0]!.atMs + 1)).toEqual([]);
    expect(await deploymentsSince(open().store, 0)).toEqual({
      deployed: 1,
      failed: 0,
      takenBack: 0,
    });
  });

  test('of several who advance what they all saw one wins, the others learn that it changed', async () => {
    const { id } = await approved();
    const dossier = await readDossier(open().store, id);
    const plans = (['deploying', 'deploying', 'aborted'] as const).map((to) => {
      const request = {
        to,
        actor: OPERATOR,
        reason: 'race',
        gate: GATE,
        nowMs: open().clock.nowMs(),
      };
      const planned = planAdvance(dossier, request);
      if ('refused' in planned) throw new Error(planned.refused.why);
      return planned.plan;
    });
    const results = await Promise.all(plans.map((plan) => open().store.commit(plan)));
    expect(results.filter(({ committed }) => committed)).toHaveLength(1);
    expect(results.filter(({ committed }) => !committed)).toMatchObject(
      Array(2).fill({ refused: { name: 'version' } }),
    );
    const moves = (await recorded(open().store)).filter(({ data }) => data['reason'] === 'race');
    expect(moves).toHaveLength(1);
  });

  test('a stop pulled after the gate was read still keeps it closed', async () => {
    const { id } = await approved();
    const killSwitch = new KillSwitch(open().store, () => false);
    await killSwitch.stop(OPERATOR, 'wait', 'command');
    // GATE says `stopped: false`: it was read before the stop.
    expect(await advance(id, 'deploying')).toEqual({ done: false, refusal: { why: 'changed' } });
    await killSwitch.resume(OPERATOR, 'go on');
    expect(await advance(id, 'deploying')).toEqual({ done: true });
  });

  test('DEP-1 the gate’s refusal names everything that is missing', async () => {
    const { id } = await approved();
    const gate = {
      ...GATE,
      stopped: true,
      verification: { approve: 'forge', require: 'forge' },
    } as const;
    const request = { to: 'deploying', actor: OPERATOR, reason: 'test', gate } as const;
    expect(await kernel().advance(id, request)).toEqual({
      done: false,
      refusal: { why: 'gate_closed', missing: ['stopped', 'not_verified_enough'] },
    });
    expect(await stateOf(id)).toBe('approved');
  });

  test('amended bytes are a draft again, and nothing said about the old ones counts', async () => {
    const { id, proposals } = await approved();
    await proposals.amend(id, makeContent({ title: 'Another' }), CODER);
    expect(await stateOf(id)).toBe('draft');
    expect(await advance(id, 'vetted')).toMatchObject({
      done: false,
      refusal: { why: 'missing_attestation', needs: [{ kind: 'vetting' }] },
    });
    const { content, proposal } = await readDossier(open().store, id);
    expect([content.title, proposal.title]).toEqual(['Another', 'Another']);
  });

  test('a decision is bound to the evidence its maker saw', async () => {
    const { id, digest, proposals } = await approved();
    await proposals.attest(id, draft('validation', 'passed', digest));
    expect(await advance(id, 'deploying')).toMatchObject({
      refusal: {
        why: 'gate_closed',
        missing: ['decision_on_other_evidence', 'decision_older_than_evidence'],
      },
    });
  });

  test('only a person takes a proposal out of quarantine', async () => {
    const proposals = kernel();
    const { id, digest } = await proposals.create(makeContent());
    await proposals.attest(id, draft('vetting', 'held', digest));
    await advance(id, 'quarantined');
    expect(await advance(id, 'draft', CODER)).toEqual({
      done: false,
      refusal: { why: 'needs_human' },
    });
    // And says so, about these very bytes; nobody else's word counts.
    for (const said of [undefined, draft('vetting', 'released', digest)]) {
      if (said !== undefined) await proposals.attest(id, said);
      expect(await advance(id, 'draft')).toMatchObject({
        refusal: { why: 'missing_attestation', needs: [{ kind: 'vetting' }] },
      });
    }
    await proposals.attest(id, draft('vetting', 'released', digest, { actor: OPERATOR }));
    expect(await advance(id, 'draft')).toEqual({ done: true });
  });

  test('a deployed proposal cannot be amended', async () => {
    const { id, proposals, step } = await approved();
    await step('deploying');
    expect(await proposals.amend(id, makeContent({ title: 'x' }), OPERATOR)).toEqual({
      done: false,
      refusal: { why: 'cannot_be_amended', state: 'deploying' },
    });
  });

  test('files handed in with an attestation are kept with it', async () => {
    const { id, digest } = await kernel().create(makeContent());
    const report = makeArtifact('all good', 'text/plain');
    await kernel().attest(id, draft('vetting', 'passed', digest, { files: [report] }));
    const { attestations } = await readDossier(open().store, id);
    expect(attestations[0]!.artifacts).toEqual([report.digest]);
    expect(Buffer.from((await readArtifact(open().store, report.digest)).content).toString()).toBe(
      'all good',
    );
  });

  test('content that breaks its schema is refused, and nothing is written', async () => {
    const bad = makeContent({ title: 'x'.repeat(121) });
    await expect(kernel().create(bad)).rejects.toMatchObject({ code: 'bad_content' });
    const { id } = await kernel().create(makeContent());
    await expect(kernel().amend(id, bad, OPERATOR)).rejects.toMatchObject({ code: 'bad_content' });
    expect(await recorded(open().store)).toHaveLength(1);
    expect((await readDossier(open().store, id)).proposal.version).toBe(1);
  });

  test.each([
    'diffDigest',
    'rationale',
    'evidence',
    'rootCause',
    'riskAndMitigation',
    'rollback',
    'files',
    'validationPlan',
  ] as const)('PROP-2 without %s it is refused, and nothing is written', async (part) => {
    const { [part]: whole, ...without } = makeContent();
    const empty = Array.isArray(whole) ? [] : '';
    for (const content of [without, { ...without, [part]: empty }])
      await expect(kernel().create(content as ProposalContent)).rejects.toMatchObject({
        code: 'bad_content',
      });
    expect(await recorded(open().store)).toEqual([]);
  });

  test('a verdict that its kind does not know is refused', async () => {
    const { id, digest } = await kernel().create(makeContent());
    await expect(kernel().attest(id, draft('decision', 'passed', digest))).rejects.toThrow(
      /verdict/,
    );
    expect(await recorded(open().store)).toHaveLength(1);
  });

  test('an unknown proposal is unknown', async () => {
    await expect(advance('p_nobody', 'vetted')).rejects.toMatchObject({ code: 'unknown' });
  });
});
