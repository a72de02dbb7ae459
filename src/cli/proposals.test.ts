/** From telemetry to a change and back, as a person does it: the real process, git and files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { Run } from '../../test/cli.ts';
import * as contracts from '../contracts/index.ts';
import { openRepository } from '../git/index.ts';
import { agentFile, calls, fileAt, makeTarget, type Target } from './target.test-support.ts';

const RESEARCHER = 'agents/researcher.yaml';
const FILES = {
  [RESEARCHER]: agentFile('researcher', 'web_search'),
  'agents/reader.yaml': agentFile('reader', 'fetch_page'),
  'agents/tricky.yaml': agentFile('tricky', 'lookup').replace('tight', 'tight \u202eevil\u009b2J'),
};
/** Colours, a window title, another line, other directions, nothing at all. */
const HOSTILE =
  '\u001b[31mred\u001b]0;owned\u0007\r\nline two \u202eevil\u202c\u009b2J\u200b\u2028';
/** What must not reach a terminal as it is. */
const UNSEEN = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

/** Says what was in the way; diffs are as wide as their lines, and rows of a list are one line in a pipe. */
function expectReadable({ out, err }: Run): void {
  expect(UNSEEN.exec(out + err)?.[0]).toBeUndefined();
  const isWhole = /^(?:index |diff |[-+ @]|p_)/;
  const wide = `${out}\n${err}`
    .split('\n')
    .filter((line) => line.length > 80 && !isWhole.test(line));
  expect(wide).toEqual([]);
}

describe('a target whose agents time out', () => {
  let target: Target;
  let operator: string;
  let approver: string;
  let viewer: string;
  let revoked: string;
  beforeAll(async () => {
    target = await makeTarget(FILES);
    const file = join(target.repository, 'hone.yaml');
    const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
    operator = made.token!.secret;
    const config = parseDocument(readFileSync(file, 'utf8'));
    config.setIn(['observe', 'sources'], [{ name: 'fleet', path: '../events.jsonl' }]);
    config.setIn(['target', 'agentFiles'], ['agents/*.yaml']);
    writeFileSync(file, config.toString());
    const shown = await target.hone('config', 'show', '--json');
    const { file: digest } = contracts.configShowJson.parse(shown.json());
    const accept = ['config', 'accept', '--digest', digest!];
    expect((await target.honeWith({ HONE_TOKEN: operator }, ...accept)).exit).toBe(0);
    const add = async (name: string, role: string) => {
      const asOperator = { HONE_TOKEN: operator };
      const made = await target.honeWith(
        asOperator,
        'token',
        'add',
        name,
        '--role',
        role,
        '--json',
      );
      return contracts.tokenAddJson.parse(made.json()).secret;
    };
    [approver, viewer, revoked] = await Promise.all([
      add('boss', 'approver'),
      add('guest', 'viewer'),
      add('former', 'approver'),
    ]);
    const own = await target.honeWith({ HONE_TOKEN: revoked }, 'token', 'revoke', 'former');
    expect(own.exit).toBe(0);
    const untilMs = Date.now();
    const quiet = { untilMs, all: 60, message: `failed: ${HOSTILE}` };
    target.append(
      calls({ agent: 'researcher', tool: 'web_search', untilMs, all: 500, failed: 60 }),
    );
    target.append(calls({ agent: 'reader', tool: 'fetch_page', untilMs }));
    // In other minutes than the others: tools that fail in the same ones look like an outage.
    target.append(calls({ agent: 'tricky', tool: 'lookup', untilMs: untilMs - 180_000 }));
    target.append(calls({ ...quiet, agent: `hostile${HOSTILE}`, tool: `t${HOSTILE}` }));
    target.append(calls({ ...quiet, agent: 'rare', tool: `odd${HOSTILE}`, failed: 1 }));
  });
  afterAll(() => target[Symbol.dispose]());

  type Listed = Awaited<ReturnType<typeof list>>;
  let seen: Listed;
  const list = async () => {
    const { proposals } = contracts.proposalsListJson.parse(
      (await target.hone('proposals', 'list', '--json')).json(),
    );
    const named = (tool: string) => proposals.find(({ title }) => title.includes(tool))!;
    return { search: named('web_search'), fetch: named('fetch_page'), hidden: named('lookup') };
  };
  const branch = () => fileAt(target.repository, RESEARCHER);

  test('a cycle says what it found and what it did, in JSON and on a terminal', async () => {
    const first = await target.hone('cycle', '--json');
    expect(first.exit).toBe(0);
    const { report, steps } = contracts.cycleJson.parse(first.json());
    expect(report!.collected.aside).toBe(0);
    expect(report!.findings.map(({ did }) => did).sort()).toEqual([
      'declined',
      'passed_over',
      'proposed',
      'proposed',
      'proposed',
    ]);
    expect(steps.filter(({ outcome }) => outcome !== 'taken')).toEqual([]);
    seen = await list();
    const { search, fetch, hidden } = seen;
    expect([search.state, fetch.state, hidden.state]).toEqual([
      'pending',
      'pending',
      'quarantined',
    ]);

    const again = await target.hone('cycle');
    expect(again).toMatchObject({ exit: 0, err: '' });
    expectReadable(again);
    expect(again.out).toContain('web_search of researcher times out (');
    expect(again.out).toContain('A change of the same value is already open');
  });

  test('proposals are listed, shown and printed, with what to do next', async () => {
    const { search, hidden } = seen;
    const [shown, diff, ...texts] = await Promise.all([
      target.hone('proposals', 'show', search.id, '--json'),
      target.hone('proposals', 'diff', search.id, '--json'),
      target.hone('proposals', 'show', search.id),
      target.hone('proposals', 'show', hidden.id),
      target.hone('proposals', 'diff', hidden.id),
      target.hone('proposals', 'list'),
      target.hone('proposals', 'list', '--state', 'implemented'),
      target.hone('ledger', 'show', '--limit', '1000'),
    ]);
    const proposal = contracts.proposalsShowJson.parse(shown.json());
    expect(proposal).toMatchObject({ id: search.id, state: 'pending', tier: 'require' });
    expect(contracts.proposalsDiffJson.parse(diff.json()).diff).toBe(proposal.diff);
    for (const text of texts) {
      expect(text).toMatchObject({ exit: 0, err: '' });
      expectReadable(text);
    }
    const digest = proposal.digest.slice('sha256:'.length).slice(0, 12);
    expect(texts[0]!.out).toContain(`hone approve ${search.id} --digest ${digest}`);
    expect(texts[0]!.out).toContain(proposal.diff);
    expect(texts[1]!.out).toContain('⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩evil');
    expect(texts[4]!.out).toContain('No proposals.');
  });

  test('status shows what waits', async () => {
    const [json, text] = await Promise.all([
      target.hone('status', '--json'),
      target.hone('status'),
    ]);
    const status = contracts.statusJson.parse(json.json());
    expect(status).toMatchObject({ proposals: { pending: 2, quarantined: 1 }, troubles: [] });
    expect(status.health.map(({ id }) => id)).toEqual(['M1', 'M2', 'M3']);
    expectReadable(text);
    expect(text.out).toContain('Proposals wait for a decision');
  });

  test('nobody decides without proof of who they are, of what they saw, or as an agent', async () => {
    const { search } = seen;
    const approve = (more: Record<string, string>, digest = search.digest) =>
      target.honeWith(more, 'approve', search.id, '--digest', digest);
    const [unseen, local, old, guest, agent, inherited, other, refusal] = await Promise.all([
      target.installation.process({ HONE_TOKEN: approver }, 'approve', search.id),
      approve({}),
      approve({ HONE_TOKEN: revoked }),
      approve({ HONE_TOKEN: viewer }),
      approve({ CLAUDECODE: '1' }),
      approve({ CLAUDECODE: '1', HONE_TOKEN: approver }),
      approve({ HONE_TOKEN: approver }, `sha256:${'0'.repeat(64)}`),
      target.honeWith({ CLAUDECODE: '1' }, 'reject', search.id, '--reason', 'no', '--json'),
    ]);
    expect(unseen).toMatchObject({ exit: 2, out: '' });
    expect(unseen.err).toContain('--digest');
    for (const refused of [local, old, guest, agent, inherited, other]) {
      expect(refused).toMatchObject({ exit: 1, out: '' });
      expectReadable(refused);
    }
    expect(local.err).toContain('HONE_TOKEN');
    expect(local.err).toContain('hone token add');
    expect(old.err).toContain('unknown or revoked');
    expect(guest.err).toContain('token:guest is a viewer; only an approver may decide.');
    expect(agent.err).toContain('agents never decide');
    expect(inherited.err).toContain('agents never decide');
    expect(other.err).toContain('what you saw. Look at it again.');
    expect(refusal.exit).toBe(1);
    expect(contracts.errorJson.parse(refusal.json()).error.code).toBe('refused');
    expect(await list()).toEqual(seen);
  });

  test('an id must name one proposal, and a rejection its reason', async () => {
    const { search, fetch } = seen;
    const [unknown, ambiguous, unsaid, empty, early] = await Promise.all([
      target.hone('proposals', 'show', 'p_zzzz\u001b[31m'),
      target.hone('approve', 'p_', '--digest', search.digest),
      target.hone('reject', fetch.id),
      target.hone('reject', fetch.id, '--reason', ' '),
      target.hone('rollback', search.id),
    ]);
    for (const wrong of [unknown, ambiguous, unsaid, empty, early]) expectReadable(wrong);
    expect(unknown).toMatchObject({ exit: 2 });
    expect(unknown.err).toContain('There is no proposal p_zzzz');
    expect(unknown.err).toContain('"hone proposals list" shows them.');
    expect(ambiguous).toMatchObject({ exit: 2 });
    expect(ambiguous.err).toContain('More than one proposal begins with p_');
    expect(ambiguous.err).toContain('Give more of its id.');
    expect(unsaid).toMatchObject({ exit: 2 });
    expect(empty).toMatchObject({ exit: 2 });
    expect(empty.err).toContain('--reason');
    expect(early).toMatchObject({ exit: 1 });
    expect(early.err).toContain('it is not deployed');
  });

  test('APP-2 one is paused, resumed, wanted otherwise and edited, each for the record', async () => {
    const { fetch } = seen;
    const token = { HONE_TOKEN: approver };
    const say = (verb: string, ...more: string[]) =>
      target.honeWith(token, 'proposals', verb, fetch.id, '--reason', 'so', ...more);
    expect(await say('pause')).toMatchObject({ exit: 0, out: expect.stringContaining('pending') });
    const paused = await target.hone('proposals', 'show', fetch.id);
    expectReadable(paused);
    expect(paused.out).toContain('Paused');
    expect((await say('pause')).exit).toBe(1);
    expect((await say('resume')).exit).toBe(0);
    const wanted = await say('request-changes', '--json');
    expect(contracts.decidedJson.parse(wanted.json())).toMatchObject({ state: 'pending' });
    const printed = contracts.proposalsDiffJson.parse(
      (await target.hone('proposals', 'diff', fetch.id, '--json')).json(),
    );
    const [, to] = /^\+.*timeout_ms: (\d+)/m.exec(printed.diff)!;
    const file = join(target.repository, '..', 'edited.diff');
    writeFileSync(file, printed.diff.replace(`timeout_ms: ${to}`, 'timeout_ms: 4321'));
    const edit = (digest: string) => say('modify', '--diff', file, '--digest', digest, '--json');
    expect((await edit(`sha256:${'0'.repeat(64)}`)).exit).toBe(1);
    const edited = contracts.decidedJson.parse((await edit(printed.digest)).json());
    expect(edited).toMatchObject({ state: 'pending', done: true });
    expect(edited.digest).not.toBe(printed.digest);
    const shown = await target.hone('proposals', 'show', fetch.id, '--json');
    expect(contracts.proposalsShowJson.parse(shown.json())).toMatchObject({
      content: { change: { to: 4321 }, modifiers: [{ id: 'token:boss', verified: 'token' }] },
      approval: { needed: 1, changesRequestedBy: [], isPaused: false, isEscalated: false },
    });
    const alone = await target.honeWith(token, 'approve', fetch.id, '--digest', edited.digest);
    expect(alone).toMatchObject({ exit: 0, out: expect.stringContaining('did not edit it') });
  });

  test('an approved change is on the branch, with everything else as it was', async () => {
    const { search } = seen;
    const digest = search.digest.slice(7, 19);
    const approved = await target.honeWith(
      { HONE_TOKEN: approver },
      ...['approve', search.id.slice(0, -2), '--digest', digest, '--reason', 'it helps', '--json'],
    );
    expect(approved.exit).toBe(0);
    const decided = contracts.decidedJson.parse(approved.json());
    expect(decided).toMatchObject({ id: search.id, state: 'monitoring' });
    expect(decided.did[0]).toMatch(
      /^approved by token:boss for main of agents-[0-9a-f]+ \(local\): it helps$/,
    );
    expect(await branch()).toBe(FILES[RESEARCHER].replace('800', '1500'));
    const tree = readFileSync(join(target.repository, RESEARCHER), 'utf8');
    expect(tree).toBe(FILES[RESEARCHER]);
    const listed = await target.hone('changes', 'list', '--json');
    expect(contracts.changesListJson.parse(listed.json()).changes).toEqual([
      {
        id: search.id,
        title: expect.any(String),
        state: 'monitoring',
        deployedAt: expect.any(String),
        watch: 'close',
        outcome: null,
        rollback: null,
      },
    ]);
  });

  test('one that was rejected stays away, with the reason', async () => {
    const { fetch } = seen;
    const rejected = await target.hone('reject', fetch.id, '--reason', `no${HOSTILE}`);
    expect(rejected).toMatchObject({ exit: 0 });
    expectReadable(rejected);
    expect(rejected.out).toContain('It is rejected now.');
    const entries = await target.hone('ledger', 'show', '--subject', `proposal:${fetch.id}`);
    expectReadable(entries);
    expect(entries.out).toContain('learn.fix_recorded');
  });

  test('called back, the file is as before, and everything is told', async () => {
    const { search } = seen;
    const back = await target.hone('rollback', search.id, '--reason', 'it hurts');
    expect(back.exit).toBe(0);
    expectReadable(back);
    expect(back.out).toContain('rollback requested by operator@example.org: it hurts');
    expect(back.out).toContain('It is reverted now.');
    expect(await branch()).toBe(FILES[RESEARCHER]);
    const [verify, twice] = await Promise.all([
      target.hone('ledger', 'verify', '--json'),
      target.hone('rollback', search.id),
    ]);
    expect(verify.exit).toBe(0);
    expect(contracts.ledgerVerifyJson.parse(verify.json()).ok).toBe(true);
    expect(twice).toMatchObject({ exit: 1 });
    const [listed, shown, watched, closed] = await Promise.all([
      target.hone('changes', 'list'),
      target.hone('changes', 'show', search.id, '--json'),
      target.hone('watch', search.id),
      target.hone('watch', 'close', search.id, '--reason', 'enough was seen'),
    ]);
    expect(closed).toMatchObject({ exit: 1 });
    expect(closed.err.replaceAll(/\s+/g, ' ')).toContain('there is nothing to end');
    expectReadable(listed);
    expectReadable(watched);
    expect(watched.out + watched.err).toMatch(
      /Nothing can be compared yet|of an alarm|is not watched/,
    );
    expect(listed.out).toMatch(/reverted +over +withdrawn/);
    const change = contracts.changesShowJson.parse(shown.json());
    expect(change).toMatchObject({ state: 'reverted', outcome: 'withdrawn', effects: [] });
    expect(change.story.map(({ what }) => what).join(' ')).toContain('remembered as withdrawn');
  });

  test('how Hone has done counts the answers and what came of them', async () => {
    const [told, json] = await Promise.all([
      target.hone('health'),
      target.hone('health', '--days', '7', '--json'),
    ]);
    expectReadable(told);
    const shown = told.out.replace(/\s+/g, ' ');
    expect(shown).toContain('H3 1 of 1 deployed changes were taken back (too few to judge)');
    expect(shown).toMatch(/People approved 1, rejected 1, half of them within/);
    const record = contracts.trackRecordJson.parse(json.json());
    expect(record.measures.map(({ text }) => text)).toEqual([
      '1 of 1 deployments succeeded',
      '1 of 1 deployed changes were taken back',
      '1 of 2 proposals that people answered were approved',
    ]);
    expect(record.decisions).toMatchObject({ approved: 1, rejected: 1, byHone: 0 });
    // That a person called it back says nothing of its cause.
    expect(record.confidence.every(({ count }) => count === 0)).toBe(true);
  });

  test('what is held is released by a person, with a reason, and goes on', async () => {
    const { hidden } = seen;
    const release = (more: Record<string, string>, reason: string, ...rest: string[]) =>
      target.honeWith(more, 'proposals', 'release', hidden.id, '--reason', reason, ...rest);
    const shown = await target.hone('proposals', 'show', hidden.id);
    expectReadable(shown);
    expect(shown.out).toContain('Held by vetting');
    expect(shown.out).toContain(`hone proposals release ${hidden.id}`);
    expect((await target.hone('status')).out).toContain('Held back until a person looks');
    const [agent, inherited, unsaid] = await Promise.all([
      release({ CLAUDECODE: '1' }, 'fine'),
      release({ CLAUDECODE: '1', HONE_TOKEN: operator }, 'fine'),
      release({}, ' '),
    ]);
    for (const refused of [agent, inherited]) expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(unsaid).toMatchObject({ exit: 2, out: '' });
    const released = await release({}, `fine${HOSTILE}`, '--json');
    expect(released.exit).toBe(0);
    const { state, did } = contracts.decidedJson.parse(released.json());
    expect(did[0]).toContain('released from quarantine by operator@example.org: fine');
    expect(did[1]).toContain('Vetting passed');
    // Hidden text is validation's to judge too, and nobody talks it out of that.
    expect(state).toBe('failed');
    expect((await release({}, 'again')).err).toContain('nothing holds it');
  });

  test('what Hone could take back needs no settling, and a settlement says what and why', async () => {
    const { search } = seen;
    const settle = (...rest: string[]) => target.hone('settle', search.id, ...rest);
    const [none, both, unsaid, empty, nothing] = await Promise.all([
      settle('--reason', 'x'),
      settle('--kept', '--reverted', '--reason', 'x'),
      settle('--kept'),
      settle('--kept', '--reason', ' '),
      settle('--reverted', '--reason', 'x'),
    ]);
    for (const wrong of [none, both, unsaid, empty]) expect(wrong).toMatchObject({ exit: 2 });
    expect(none.err).toContain('--kept (it stays) or --reverted');
    expect(nothing).toMatchObject({ exit: 1 });
    expect(nothing.err).toContain('nothing to settle');
  });

  test('every change of a proposal is a page on its branch, one commit each', async () => {
    const { search } = seen;
    await using repository = await openRepository({ root: target.repository, durable: false });
    let commit = await repository.resolve('refs/heads/hone/proposals');
    const pages = await repository.listFiles(commit!, 'proposals');
    const page = pages.find(({ path }) => path.includes(search.id))!;
    const text = Buffer.from((await repository.readFile(commit!, page.path))!).toString();
    expect(text).toContain('**Status**: reverted');
    const states: string[] = [];
    while (commit !== undefined) {
      const { message, parents } = await repository.commitInfo(commit);
      const [, id, state] = /^proposal (\w+): (\w+)\n/.exec(message)!;
      if (id === search.id) states.unshift(state!);
      commit = parents[0];
    }
    expect(states).toEqual([
      'draft',
      'vetted',
      'validating',
      'inconclusive',
      'pending',
      'approved',
      'deploying',
      'monitoring',
      'monitoring',
      'reverted',
    ]);
  });
});
