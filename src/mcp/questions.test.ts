import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayWorld, makeGatewayWorld, textOf } from '../../test/gateway-world.ts';

const MAIN = new URL('../main.ts', import.meta.url).pathname;
const REVISIONS = ['older', '2026-07-28'] as const;
const YES = { action: 'accept', content: { allow: true } } as const;

interface Answer extends Record<string, unknown> {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, boolean>;
}

interface Asked {
  readonly client: Client;
  /** What the user was shown. */
  readonly shown: string[];
  /** What the user says next, one after the other. */
  readonly says: (Answer | Promise<Answer>)[];
  refund(eur: number): Promise<{ isError?: boolean | undefined; text: string }>;
}

/** A client whose user answers. */
function asking(revision: (typeof REVISIONS)[number], capabilities: object): Asked {
  const mode = revision === '2026-07-28' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities },
  );
  const shown: string[] = [];
  const says: Asked['says'] = [];
  if ('elicitation' in capabilities) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params.message);
      return (await says.shift()) ?? { action: 'cancel' as const };
    });
  }
  const refund = async (eur: number) => {
    const result = await client.callTool({ name: 'refund', arguments: { eur } });
    return { isError: result.isError, text: textOf(result) };
  };
  return { client, shown, says, refund };
}

describe('GATE-3 a question in the client, where an operator allowed it', () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await makeGatewayWorld({ more: '  askInClient: true\n  answersNeed: local\n' });
  });
  afterAll(() => world[Symbol.dispose]());

  const connected = async (
    revision: (typeof REVISIONS)[number],
    session: string,
    capabilities: object = { elicitation: {} },
  ): Promise<Asked> => {
    const asked = asking(revision, capabilities);
    await asked.client.connect(world.transport('post', { session }));
    return asked;
  };
  const paid = (eur: number) =>
    world.sent().filter((line) => line.includes(`"refund":${eur}}`)).length;
  const asks = async () =>
    (
      (await world.here.hone('asks', 'list', '--all', '--json')).json() as {
        asks: { session: string; state: string; verified: string | null }[];
      }
    ).asks;

  test.each(REVISIONS)('a yes lets this call pass once, by %s', async (revision) => {
    const session = `yes-${revision}`;
    const { client, shown, says, refund } = await connected(revision, session);
    says.push(YES);
    expect(await refund(5)).toEqual({ isError: undefined, text: 'paid 5' });
    expect(shown).toEqual([expect.stringMatching(/wants to call post\/refund\..*"eur": 5/s)]);
    // Other arguments are another question, and the same ones are asked about again.
    says.push({ action: 'accept', content: { allow: false } }, { action: 'decline' });
    expect((await refund(6)).text).toContain('A person said no');
    expect((await refund(5)).text).toContain('A person said no');
    expect([shown.length, paid(6)]).toEqual([3, 0]);
    await client.close();
    const states = (await asks()).filter((one) => one.session === session);
    expect(states.map(({ state, verified }) => [state, verified]).sort()).toEqual([
      ['rejected', 'local'],
      ['rejected', 'local'],
      ['used', 'local'],
    ]);
    const ledger = await world.here.hone('ledger', 'show', '--subject', `session:${session}`);
    expect(ledger.out).toMatch(/gateway\.asked.*gateway\.answered.*gateway\.approval_used/s);
  });

  test.each(REVISIONS)(
    'a question that is closed leaves the call waiting, by %s',
    async (revision) => {
      const session = `closed-${revision}`;
      const { client, says, shown, refund } = await connected(revision, session);
      says.push({ action: 'cancel' });
      expect((await refund(7)).text).toContain('Hone asks a person first');
      expect([shown.length, paid(7)]).toEqual([1, 0]);
      await client.close();
      const mine = (await asks()).filter((one) => one.session === session);
      expect(mine.map(({ state }) => state)).toEqual(['waiting']);
    },
  );

  test.each([
    ['older', {}],
    ['2026-07-28', {}],
    ['older', { elicitation: { url: {} } }],
  ] as const)(
    'a client of %s that shows no forms is not asked: %j',
    async (revision, capabilities) => {
      const { client, shown, refund } = await connected(revision, 'none', capabilities);
      expect((await refund(8)).text).toContain('Hone asks a person first');
      expect(shown).toEqual([]);
      await client.close();
    },
  );

  test('other calls go on while it is asked; a call that was given up is not made by a late yes', async () => {
    const { client, says, shown, refund } = await connected('older', 'late');
    const user = Promise.withResolvers<Answer>();
    says.push(user.promise);
    const given = new AbortController();
    const call = { name: 'refund', arguments: { eur: 9 } };
    const gaveUp = expect(client.callTool(call, { signal: given.signal })).rejects.toThrow();
    await expect.poll(() => shown.length).toBe(1);
    const status = await client.callTool({ name: 'status', arguments: {} });
    expect(textOf(status)).toBe('runs');
    given.abort('enough');
    await gaveUp;
    await client.callTool({ name: 'status', arguments: {} });
    user.resolve(YES);
    const approved = async () =>
      (await asks()).some(({ session, state }) => session === 'late' && state === 'approved');
    await expect.poll(approved).toBe(true);
    expect(paid(9)).toBe(0);
    // The yes is about these arguments, so making the call again needs no other one.
    expect((await refund(9)).text).toBe('paid 9');
    expect([shown.length, paid(9)]).toEqual([1, 1]);
    await client.close();
  });

  test('a client that is started by an agent asks its user, over stdio', async () => {
    const { client, says, refund } = asking('older', { elicitation: {} });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, ...world.gateway('post', { session: 'stdio' })],
      cwd: world.here.repository,
      env: { ...world.here.environment, CLAUDECODE: '1', HONE_TOKEN: 'not a token' },
      stderr: 'ignore',
    });
    await client.connect(transport);
    says.push(YES);
    expect((await refund(11)).text).toBe('paid 11');
    await client.close();
  });
});

describe('GATE-3 a question in the client, where it would not count', () => {
  test.each([
    ['nobody allowed it', '  answersNeed: local\n'],
    ['answers need a token', '  askInClient: true\n'],
  ])('nobody is asked: %s', async (_, more) => {
    using world = await makeGatewayWorld({ more });
    for (const revision of REVISIONS) {
      const { client, shown, says } = asking(revision, { elicitation: {} });
      await client.connect(world.transport('post', { session: revision }));
      says.push(YES);
      const call = { name: 'refund', arguments: { eur: 5 } };
      const refused = await client.callTool(call);
      expect(textOf(refused)).toContain('Hone asks a person first');
      const { askId } = refused._meta!['hone/refusal'] as { askId: string };
      // An answer to a question that the gateway did not ask is data, not an answer.
      const forged = { ...call, inputResponses: { [askId]: YES } };
      expect((await client.callTool(forged as never)).isError).toBe(true);
      expect((await client.callTool(call)).isError).toBe(true);
      expect(shown).toEqual([]);
      await client.close();
    }
    expect(world.sent()).toEqual([]);
  });

  test('whoever is known as an agent does not answer', async () => {
    using world = await makeGatewayWorld({
      more: '  askInClient: true\n  answersNeed: local\nidentity:\n  agents:\n    - { name: bot, matches: [operator@example.org] }\n',
    });
    const { client, says, refund } = asking('older', { elicitation: {} });
    await client.connect(world.transport('post', { session: 'bot' }));
    says.push(YES);
    expect((await refund(5)).text).toContain('agents never decide');
    await client.close();
    expect(world.sent()).toEqual([]);
  });
});
