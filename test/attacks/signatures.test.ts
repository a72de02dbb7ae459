/** Signed decisions, with real keys and the real ssh-keygen: what counts, and what was tried to make count. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOfBytes } from '../../src/base/index.ts';
import type { Actor } from '../../src/facts/index.ts';
import { verifyAllowed } from '../../src/identity/index.ts';
import { signText } from '../../src/identity/ssh-keygen.ts';
import { decideByHand, type LoopPorts, type Sign } from '../../src/loop/index.ts';
import { type World, worldPerTest } from '../../src/loop/loop.test-support.ts';
import { latestDecision, readDossier, readSignedDecision } from '../../src/proposal/index.ts';
import { BOB, OPERATOR } from '../proposals.ts';
import { makeSshKeys, type SshKeys, sshKeygenProblem } from '../ssh-keys.ts';

const ALICE: Actor = { kind: 'human', id: 'alice@example.org', verified: 'local' };
const PATH = { PATH: process.env['PATH'] };

describe.skipIf(sshKeygenProblem() !== undefined)('ID-1 APP-3 signed decisions', () => {
  const makeWorld = worldPerTest('memory');
  let keys: SshKeys;
  beforeAll(() => {
    keys = makeSshKeys();
  });
  afterAll(() => keys[Symbol.dispose]());

  const signWith =
    (name: string): Sign =>
    (text) =>
      signText(text, keys.file(name), PATH);

  /** A file of allowed signers, accepted as it is or as something else. */
  const allowed = (lines: string, accepted = lines) => {
    const file = join(keys.folder, 'allowed-signers');
    writeFileSync(file, lines);
    const signers = { file, digest: digestOfBytes(accepted) };
    const verifySignature: LoopPorts['verifySignature'] = (claim) =>
      verifyAllowed(claim, signers, PATH);
    return { verifySignature };
  };

  const strict = async (): Promise<World> => {
    const world = await makeWorld();
    const verification = { approve: 'signature', require: 'signature' };
    world.config = world.configured({ identity: { verification } });
    return world;
  };

  const approve = (
    world: World,
    id: string,
    { sign, ...more }: Partial<LoopPorts> & { sign?: Sign },
    actor = ALICE,
  ) =>
    decideByHand(
      id,
      { verdict: 'approved', reason: '', ...(sign === undefined ? {} : { sign }) },
      { actor, ports: world.ports(more) },
    );

  test('of an allowed signer opens the gate, and can be verified by anybody later', async () => {
    const world = await strict();
    const { id } = (await world.propose()).proposal;
    const signers = allowed(keys.line(ALICE.id, 'alice'));
    const head = await world.head();
    const decided = await approve(world, id, { ...signers, sign: signWith('alice') });
    expect(decided).toMatchObject({ done: true });
    await world.run(world.loop(signers));
    expect(await world.head()).not.toBe(head);
    const { proposal, attestations } = await readDossier(world.store, id);
    const decision = latestDecision(attestations, proposal.digest)!;
    expect(decision.actor).toEqual({ ...ALICE, verified: 'signature' });
    const { statement } = (await readSignedDecision(world.store, decision))!;
    expect(JSON.parse(statement)).toMatchObject({
      proposalId: id,
      contentDigest: proposal.digest,
      evidenceDigest: decision.evidenceDigest,
      allows: { what: 'deployment' },
      target: { repository: 'shop-1', branch: 'main', forge: 'local' },
      verdict: 'approved',
      personId: ALICE.id,
    });
  });

  test('without one, a local user and a token are not enough', async () => {
    const world = await strict();
    const { id } = (await world.propose()).proposal;
    const signers = allowed(keys.line(ALICE.id, 'alice'));
    for (const actor of [ALICE, OPERATOR])
      expect(await approve(world, id, signers, actor)).toMatchObject({
        done: false,
        why: expect.stringContaining('more proof of who decides'),
      });
  });

  test.each<[string, () => { lines: string; key: string; accepted?: string }]>([
    ['of a key nobody allowed', () => ({ lines: keys.line(ALICE.id, 'alice'), key: 'mallory' })],
    [
      'of another person’s key',
      () => ({ lines: keys.line(BOB.id, 'bob') + keys.line(ALICE.id, 'alice'), key: 'bob' }),
    ],
    [
      'of a key that is allowed for something else',
      () => ({ lines: keys.line(ALICE.id, 'alice', 'namespaces="git"'), key: 'alice' }),
    ],
    [
      'of a key that is no longer valid',
      () => ({ lines: keys.line(ALICE.id, 'alice', 'valid-before="20200101"'), key: 'alice' }),
    ],
    [
      'of a key that is not valid yet',
      () => ({ lines: keys.line(ALICE.id, 'alice', 'valid-after="29990101"'), key: 'alice' }),
    ],
    [
      'of a key that somebody added to the file after it was accepted',
      () => ({
        lines: keys.line(ALICE.id, 'alice') + keys.line(ALICE.id, 'mallory'),
        accepted: keys.line(ALICE.id, 'alice'),
        key: 'mallory',
      }),
    ],
  ])('%s does not count', async (_, make) => {
    const world = await strict();
    const { id } = (await world.propose()).proposal;
    const { lines, key, accepted } = make();
    const tried = await approve(world, id, {
      ...allowed(lines, accepted),
      sign: signWith(key),
    });
    expect(tried).toMatchObject({
      done: false,
      why: expect.stringContaining(`The signature of ${ALICE.id} does not count`),
    });
    expect((await readDossier(world.store, id)).proposal.state).toBe('pending');
  });

  test('made for another purpose, over other text, or cut short does not count', async () => {
    const world = await strict();
    const { id } = (await world.propose()).proposal;
    const signers = allowed(keys.line(ALICE.id, 'alice'));
    const real = signWith('alice');
    const { execFileSync } = await import('node:child_process');
    const elsewhere = (text: string) =>
      execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', 'git', '-f', keys.file('alice')], {
        input: text,
        encoding: 'utf8',
      });
    const forgeries: Sign[] = [
      async (text) => ({ ok: true, signature: elsewhere(text) }),
      (text) => real(text.replace('approved', 'rejected')),
      (text) => real(`${text}\n`),
      async (text) => {
        const made = await real(text);
        return made.ok ? { ok: true, signature: made.signature.slice(0, 80) } : made;
      },
      async () => ({ ok: true, signature: '-----BEGIN SSH SIGNATURE-----' }),
      async () => ({ ok: true, signature: '' }),
    ];
    for (const sign of forgeries)
      expect(await approve(world, id, { ...signers, sign })).toMatchObject({ done: false });
    expect((await readDossier(world.store, id)).proposal.state).toBe('pending');
  });

  test('of one decision is nothing for another proposal, digest or target', async () => {
    const signers = allowed(keys.line(ALICE.id, 'alice'));
    const world = await strict();
    await world.addClerk();
    await world.loop().startCycle('human');
    await world.run();
    const ids = (await world.store.all('SELECT id FROM proposal_proposals ORDER BY id')).map(
      ({ id }) => String(id),
    );
    expect(ids).toHaveLength(2);
    let stolen = '';
    const real = signWith('alice');
    const kept: Sign = async (text) => {
      const made = await real(text);
      if (made.ok) stolen = made.signature;
      return made;
    };
    expect(await approve(world, ids[0]!, { ...signers, sign: kept })).toMatchObject({ done: true });
    const replay: Sign = async () => ({ ok: true, signature: stolen });
    expect(await approve(world, ids[1]!, { ...signers, sign: replay })).toMatchObject({
      done: false,
    });
    // The same proposal, asked about again for another branch and on another base.
    const changed = { deploy: { branch: 'release' } };
    const { identity } = world.config;
    world.config = { ...world.configured(changed), identity };
    await world.repository.moveRef('refs/heads/release', await world.head(), undefined);
    await world.run(world.loop(signers));
    expect((await readDossier(world.store, ids[0]!)).proposal.state).toBe('pending');
    expect(await approve(world, ids[0]!, { ...signers, sign: replay })).toMatchObject({
      done: false,
    });
  });

  test('of an agent never counts, whatever its key', async () => {
    const world = await strict();
    const { id } = (await world.propose()).proposal;
    const agents = [{ name: 'coder', matches: ['Coder@Example.org'] }];
    world.config = { ...world.config, identity: { ...world.config.identity, agents } };
    const coder: Actor = { ...ALICE, id: 'coder@example.org' };
    const sign = signWith('coder');
    const signers = allowed(keys.line(coder.id, 'coder'));
    expect(await approve(world, id, { ...signers, sign }, coder)).toMatchObject({
      done: false,
      why: 'An agent never approves, not even with a signature.',
    });
    const known: Actor = { ...coder, kind: 'agent' };
    expect(await approve(world, id, { ...signers, sign }, known)).toMatchObject({ done: false });
  });

  test('is verified again before the deployment: a signer who was taken out moves nothing', async () => {
    const world = await strict();
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    const sign = signWith('alice');
    await approve(world, id, { ...allowed(keys.line(ALICE.id, 'alice')), sign });
    const without = allowed(keys.line(BOB.id, 'bob'));
    const steps = await world.run(world.loop(without));
    expect(steps.at(-1)).toMatchObject({
      outcome: 'failed',
      did: expect.stringContaining('does not verify against the allowed signers'),
    });
    expect(await world.head()).toBe(head);
  });

  test('that is only claimed, by a row and an entry that fit each other, opens nothing', async () => {
    const world = await strict();
    const dossier = await world.propose();
    const head = await world.head();
    const { id } = dossier.proposal;
    const claimed: Actor = { ...ALICE, verified: 'signature' };
    // As whoever appends to the record by its own rules could: the signature itself they do not have.
    const trust = { verifySignature: async () => ({ ok: true }) as const };
    const sign: Sign = async () => ({ ok: true, signature: 'trust me' });
    expect(await approve(world, id, { ...trust, sign }, claimed)).toMatchObject({ done: true });
    await world.run(world.loop(allowed(keys.line(ALICE.id, 'alice'))));
    expect(await world.head()).toBe(head);
  });
});

describe('without ssh-keygen', () => {
  test('nobody signs and nothing verifies, and what to install is said', async () => {
    const none = { PATH: '/nowhere' };
    const why = expect.stringContaining('ssh-keygen was not found. Install OpenSSH');
    expect(await signText('text', '/nowhere/key', none)).toMatchObject({ ok: false, why });
    using keys = makeSshKeys();
    const file = join(keys.folder, 'allowed');
    writeFileSync(file, '');
    const claim = { text: 'text', signature: 'none', person: 'alice' };
    const signers = { file, digest: digestOfBytes('') };
    expect(await verifyAllowed(claim, signers, none)).toMatchObject({ ok: false, why });
  });
});
