import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelContract, effectOf, NOTICE, portsOf } from '../channel-contract.test-support.ts';
import type { ChannelPorts } from '../types.ts';
import { emails } from './email.ts';

type Run = NonNullable<ChannelPorts['run']>;

const SETTING = emails.setting.parse([
  { name: 'ops', from: 'hone@example.org', to: ['ann@example.org', 'bob@example.org'] },
]);

/** As a reader of mail takes it: RFC 5322 unfolded, RFC 2047 and base64 decoded. */
function read(message: string) {
  const [head = '', ...rest] = message.split('\n\n');
  const headers = head
    .replace(/\n[ \t]/g, ' ')
    .split('\n')
    .map((line) => {
      const [, name = '', value = ''] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
      return [name, value] as const;
    });
  const subject = headers
    .find(([name]) => name === 'Subject')![1]
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_, word) =>
      Buffer.from(word, 'base64').toString(),
    );
  return { headers, subject, body: Buffer.from(rest.join('\n\n'), 'base64').toString() };
}

channelContract('email', async () => {
  const got: string[] = [];
  let how: Awaited<ReturnType<Run>> = { how: 'done', code: 0 };
  return {
    channel: emails,
    setting: SETTING,
    off: [],
    received: () =>
      got.map((one) => `${one.split('\n\n')[0]}\n${read(one).subject}\n${read(one).body}`).join(''),
    fail: async () => {
      how = { how: 'failed', code: 75 };
    },
    ports: {
      run: async (_, { input }) => {
        got.push(input!);
        return how;
      },
    },
  };
});

async function messageOf(changes: Partial<typeof NOTICE>, key?: string) {
  let message = '';
  let words: readonly string[] = [];
  const run: Run = async (started, { input }) => {
    [words, message] = [started, input!];
    return { how: 'done', code: 0 };
  };
  const [to] = emails.open(SETTING, portsOf({ run }).ports);
  await to!.send(effectOf({ ...NOTICE, ...changes }, key), new AbortController().signal);
  return { message, words, ...read(message) };
}

const NAMES = [
  ...['From', 'To', 'Subject', 'Date', 'Message-ID', 'Auto-Submitted', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding'],
];

test('APP-5 a message with its headers and a text part, for sendmail', async () => {
  const { message, words, body } = await messageOf({});
  expect(words).toEqual(['/usr/sbin/sendmail', '-t', '-i']);
  expect(message.split('\n').slice(0, 11)).toEqual([
    'From: hone@example.org',
    'To: ann@example.org,',
    ' bob@example.org',
    'Subject: [high] Asked: wait longer',
    'Date: Mon, 01 Jun 2026 00:00:00 +0000',
    expect.stringMatching(/^Message-ID: <[0-9a-f]{40}@hone\.invalid>$/),
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
  ]);
  expect(body).toBe('For approver.\n\nLook: hone proposals show p_1\n');
});

test('APP-5 the same notice has the same Message-ID, another another', async () => {
  const idOf = async (key: string) =>
    (await messageOf({}, key)).headers.find(([name]) => name === 'Message-ID')![1];
  expect(await idOf('notice/a')).toBe(await idOf('notice/a'));
  expect(await idOf('notice/a')).not.toBe(await idOf('notice/b'));
});

test('APP-5 no title or text adds a header, an addressee or a part', async () => {
  const parts = fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    'Bcc: eve@example.org',
    '\u2028',
    '\0',
    '=?UTF-8?Q?',
    '?=',
    '\n\n',
    'é',
    '😀',
    'a'.repeat(90),
    '\n.\n',
  );
  const foreign = fc.array(fc.oneof(parts, fc.string())).map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(foreign, foreign, foreign, async (title, text, to) => {
      const { message, headers } = await messageOf({ title, text, to });
      expect(headers.map(([name]) => name)).toEqual(NAMES);
      expect(headers.find(([name]) => name === 'To')![1]).toBe('ann@example.org, bob@example.org');
      expect(message).toMatch(/^[\x20-\x7e\n]*$/);
      expect(message.split('\n').every((line) => line.length <= 100)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a long title in any script comes back whole, as far as it is shown', async () => {
  const title = 'Überlänge 😀 '.repeat(12).trim();
  expect((await messageOf({ title })).subject).toBe(`[high] ${title}`);
});

test.each(['ann@example.org\nBcc: x@y', 'Ann <ann@example.org>', 'a b@example.org', '@x', 'ann'])(
  'an address such as %j is refused',
  (to) => {
    const one = { name: 'ops', from: 'hone@example.org', to: [to] };
    expect(emails.setting.safeParse([one]).success).toBe(false);
    expect(emails.setting.safeParse([{ ...one, from: to, to: ['a@b'] }]).success).toBe(false);
  },
);

test('what may have been sent is never sent again by itself', () => {
  const { ports } = portsOf({ run: async () => ({ how: 'done', code: 0 }) });
  expect(emails.open(SETTING, ports).map(({ kind }) => kind)).toEqual(['once']);
});

test('a real command gets the message as its input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hone-email-'));
  const { deployRunner } = await import('../../compose/deploy-runner.ts');
  const { systemClock } = await import('../../base/index.ts');
  const runner = deployRunner({ environment: process.env, clock: systemClock });
  const run: Run = (words, given, signal) =>
    runner(signal).run(words, { ...given, timeoutMs: 10_000 });
  const file = join(folder, 'sent');
  const words = ['/bin/sh', '-c', 'cat > "$1"', 'sh', file];
  const [to] = emails.open([{ ...SETTING[0]!, run: words }], portsOf({ run }).ports);
  expect(await to!.send(effectOf(NOTICE), new AbortController().signal)).toEqual({
    outcome: 'delivered',
  });
  expect(read(await readFile(file, 'utf8')).subject).toBe('[high] Asked: wait longer');
  await rm(folder, { recursive: true });
});
