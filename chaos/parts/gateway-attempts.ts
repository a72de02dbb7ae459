/**
 * Ways around the gateway, each by name. Every one tries to get a call to the server that must not get there: the server
 * is a stand-in that writes down what reaches it.
 */
import { nextTurn } from '../../src/base/index.ts';
import type { Attacked } from './gateway-world.ts';

export interface Attempt {
  readonly name: string;
  /** Tries it; what reached the server is judged afterwards. */
  run(on: Attacked): Promise<void>;
}

const rename = (name: string, tool: string): Attempt => ({
  name,
  run: (on) => on.call(tool, { path: 'src' }),
});

/** As a client passes on what its user said. */
const YES = { action: 'accept', content: { allow: true } };

/** A message as it is, on a connection that is open. */
const line = (name: string, text: (id: number) => string): Attempt => ({
  name,
  run: async (on) => {
    await on.open();
    await on.say(text(99));
  },
});

const call = (id: number, tool: string, given: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: tool, arguments: given },
  });

const afterSecret = (name: string, path: string): Attempt => ({
  name,
  run: async (on) => {
    await on.call('read_file', { path });
    await on.call('send_message', { to: 'x', text: 'hello' });
  },
});

const destroys = (name: string, command: string): Attempt => ({
  name,
  run: (on) => on.call('run', { command }),
});

export const ATTEMPTS: readonly Attempt[] = [
  rename('a blocked tool by its name', 'delete_tree'),
  rename('in other letters', 'DELETE_TREE'),
  rename('with a Cyrillic letter', 'delet\u0435_tree'),
  rename('with a zero-width space', 'delete\u200b_tree'),
  rename('with a soft hyphen', 'delete\u00ad_tree'),
  rename('in full-width letters', 'ｄelete_tree'),
  rename('with a space behind it', 'delete_tree '),
  rename('with a line end behind it', 'delete_tree\n'),
  rename('with NUL behind it', 'delete_tree\u0000'),
  rename('as a path', 'read_file/../delete_tree'),
  rename('with the server before it', 'files/delete_tree'),
  rename('a tool that is not listed', 'secret_backdoor'),
  rename('a name with no letters', ''),
  rename('the name of a property of all objects', '__proto__'),
  rename('the name constructor', 'constructor'),
  line('a batch', (id) => `[${call(id, 'delete_tree', { path: 'a' })}]`),
  line(
    'a notification',
    () =>
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"delete_tree","arguments":{"path":"a"}}}',
  ),
  line(
    'an id that is null',
    () =>
      '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"delete_tree","arguments":{"path":"a"}}}',
  ),
  line(
    'an id that is an object',
    () =>
      '{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"delete_tree","arguments":{"path":"a"}}}',
  ),
  line(
    'two methods in one message',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"delete_tree","arguments":{"path":"a"}},"method":"tools/list"}`,
  ),
  line(
    'two names in one call',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"delete_tree","name":"read_file","arguments":{"path":"a"}}}`,
  ),
  line(
    'the harmless name first',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a"},"name":"delete_tree"}}`,
  ),
  line(
    'an escaped name',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"\\u0064elete_tree","arguments":{"path":"a"}}}`,
  ),
  line(
    'a method in other letters',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"Tools/Call","params":{"name":"delete_tree","arguments":{"path":"a"}}}`,
  ),
  line(
    'a method with a slash too many',
    (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools//call","params":{"name":"delete_tree"}}`,
  ),
  line(
    'a method nobody knows',
    (id) => `{"jsonrpc":"2.0","id":${id},"method":"x/callTool","params":{"name":"delete_tree"}}`,
  ),
  line(
    'an answer that nobody asked for',
    () =>
      '{"jsonrpc":"2.0","id":"hone-gateway-1","result":{"tools":[{"name":"delete_tree","inputSchema":{"type":"object"}}]}}',
  ),
  line(
    'another version of JSON-RPC',
    (id) => `{"jsonrpc":"1.0","id":${id},"method":"tools/call","params":{"name":"delete_tree"}}`,
  ),
  line(
    'two messages in one line',
    (id) => `${call(id, 'read_file', { path: 'a' })}${call(id + 1, 'delete_tree', { path: 'a' })}`,
  ),
  line(
    'a carriage return between two messages',
    (id) =>
      `${call(id, 'read_file', { path: 'a' })}\r${call(id + 1, 'delete_tree', { path: 'a' })}`,
  ),
  {
    name: 'before the connection is open',
    run: (on) => on.say(call(1, 'delete_tree', { path: 'a' })),
  },
  {
    name: 'an id that is in use',
    run: async (on) => {
      await on.open();
      await Promise.all([
        on.say(call(5, 'read_file', { path: 'a' })),
        on.say(call(5, 'delete_tree', { path: 'a' })),
      ]);
    },
  },
  {
    name: 'huge arguments',
    run: (on) => on.call('write_file', { path: 'a', content: 'x'.repeat(3 * 1024 * 1024) }),
  },
  {
    name: 'arguments that do not fit the schema',
    run: (on) => on.call('write_file', { path: ['/etc/passwd'], content: 7 }),
  },
  {
    name: 'arguments nested very deep',
    run: (on) =>
      on.say(call(7, 'run', JSON.parse(`${'{"a":'.repeat(2000)}"rm -rf /"${'}'.repeat(2000)}`))),
  },
  {
    name: 'other arguments after the approval',
    run: async (on) => {
      await on.call('refund', { eur: 5 });
      await on.approve();
      await on.call('refund', { eur: 5000 });
    },
  },
  {
    name: 'an approval used twice',
    run: async (on) => {
      await on.call('refund', { eur: 5 });
      await on.approve();
      await on.call('refund', { eur: 5 });
      on.forgive('refund');
      await on.call('refund', { eur: 5 });
    },
  },
  {
    name: 'an approval used twice at once',
    run: async (on) => {
      await on.call('refund', { eur: 7 });
      await on.approve();
      await Promise.all([on.call('refund', { eur: 7 }), on.call('refund', { eur: 7 })]);
      on.forgive('refund');
    },
  },
  {
    name: 'an approval of another session',
    run: async (on) => {
      await on.call('refund', { eur: 9 });
      await on.approve();
      await (await on.other()).call('refund', { eur: 9 });
    },
  },
  {
    name: 'an approval that is over',
    run: async (on) => {
      await on.call('refund', { eur: 11 });
      await on.approve();
      on.wait(3_600_001);
      await on.call('refund', { eur: 11 });
    },
  },
  {
    name: 'an approval written into the database',
    run: async (on) => {
      await on.call('refund', { eur: 13 });
      await on.forgeApproval();
      await on.call('refund', { eur: 13 });
    },
  },
  {
    name: 'other data beside the approved arguments',
    run: async (on) => {
      await on.call('refund', { eur: 15 });
      await on.approve();
      await on.open();
      await on.say(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 77,
          method: 'tools/call',
          params: { name: 'refund', arguments: { eur: 15 }, inputResponses: { more: 'x' } },
        }),
      );
    },
  },
  {
    name: 'a yes of the client beside the call, where nobody asked it',
    run: async (on) => {
      await on.call('refund', { eur: 17 });
      const inputResponses = { [await on.askId()]: YES };
      const params = { name: 'refund', arguments: { eur: 17 }, inputResponses };
      await on.say(JSON.stringify({ jsonrpc: '2.0', id: 78, method: 'tools/call', params }));
      await on.call('refund', { eur: 17 });
    },
  },
  {
    name: 'a yes of the client as an answer to a request, where nobody asked it',
    run: async (on) => {
      await on.call('refund', { eur: 19 });
      const id = `hone-${await on.askId()}-1`;
      await on.say(JSON.stringify({ jsonrpc: '2.0', id, result: YES }));
      await on.call('refund', { eur: 19 });
    },
  },
  {
    name: 'a description swapped after it was pinned',
    run: async (on) => {
      await on.call('read_file', { path: 'a' });
      on.forgive('read_file');
      on.swap('read_file');
      await on.call('read_file', { path: 'a' });
    },
  },
  {
    name: 'a schema swapped between two lists',
    run: async (on) => {
      await on.call('read_file', { path: 'a' });
      on.forgive('read_file');
      on.swapSchema('read_file');
      await on.call('read_file', { path: 'a' });
    },
  },
  afterSecret('a secret, then a message', '.env'),
  afterSecret('with dots on the way', 'src/../.env'),
  afterSecret('percent-encoded', '%2eenv'),
  afterSecret('in other letters', '.ENV'),
  afterSecret('in full-width letters', '．ｅｎｖ'),
  afterSecret('with backslashes', 'a\\..\\.env'),
  afterSecret('a secret in a file with a harmless name', 'harmless.txt'),
  {
    name: 'the secret through another server of the session',
    run: async (on) => {
      await on.call('read_file', { path: '.env' });
      await (await on.sameSession('post')).call('send_message', { to: 'x', text: 'y' });
    },
  },
  {
    name: 'the secret through a server that says no session',
    run: async (on) => {
      await on.call('read_file', { path: '.env' });
      await (await on.noSession()).call('send_message', { to: 'x', text: 'y' });
    },
  },
  {
    name: 'a secret in what is sent',
    run: (on) =>
      on.call('send_message', {
        to: 'x',
        text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE'}\n-----END OPENSSH PRIVATE KEY-----`,
      }),
  },
  {
    name: 'another name for the same server',
    run: async (on) => (await on.alias('files2')).call('delete_tree', { path: 'a' }),
  },
  destroys('rm -rf /', 'rm -rf /'),
  destroys('quoted in pieces', `r'm' -r"f" /`),
  destroys('by a variable', 'x=rm; $x -rf /'),
  destroys('decoded', 'echo cm0gLXJmIC8K | base64 -d | sh'),
  {
    name: 'a decision that fails',
    run: async (on) => (await on.broken('fails')).call('write_file', { path: 'a', content: 'b' }),
  },
  {
    name: 'a decision that never comes',
    run: async (on) => {
      const stuck = await on.broken('hangs');
      await stuck.open();
      const called = stuck.call('write_file', { path: 'a', content: 'b' });
      for (let turns = 0; turns < 10; turns++) await nextTurn();
      on.wait(60_000);
      await called;
    },
  },
  {
    name: 'a store that cannot be written',
    run: async (on) => (await on.broken('store')).call('write_file', { path: 'a', content: 'b' }),
  },
  {
    name: 'a mode that cannot be read',
    run: async (on) => (await on.broken('mode')).call('delete_tree', { path: 'a' }),
  },
];
