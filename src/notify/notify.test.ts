import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../base/index.ts';
import type { Effect } from '../outbox/index.ts';
import { noticeEffects, signature, terminalDestination, webhookDestination } from './index.ts';

const NOTICE = {
  key: 'approve/p_1',
  to: 'approver',
  severity: 'high',
  title: 'A decision is asked for',
  text: 'Look: hone proposals show p_1',
  step: 'approve',
} as const;

const effect = (key: string): Effect => ({
  id: 1,
  key,
  destination: 'webhook:team',
  step: 'approve',
  state: 'sending',
  attempts: 1,
  dueAtMs: 0,
  payload: { title: 'ü', severity: 'high', text: 'x' },
  error: null,
  changedAtMs: 0,
});

describe('notices', () => {
  test('one effect for each destination, its key the notice’s', () => {
    const effects = noticeEffects(NOTICE, { terminal: true, webhooks: ['team', 'night'] });
    expect(effects.map(({ key, destination, step }) => [key, destination, step])).toEqual([
      ['notice/terminal/approve/p_1', 'terminal', 'approve'],
      ['notice/webhook:team/approve/p_1', 'webhook:team', 'approve'],
      ['notice/webhook:night/approve/p_1', 'webhook:night', 'approve'],
    ]);
    expect(noticeEffects(NOTICE, { terminal: false, webhooks: [] })).toEqual([]);
  });

  test('the terminal gets a line with its severity', async () => {
    let line = '';
    const terminal = terminalDestination((text) => {
      line += text;
    });
    const sent = await terminal.send(effect('k'), new AbortController().signal);
    expect(sent).toEqual({ outcome: 'delivered' });
    expect(line).toBe('[high] ü\n    x\n');
    line = '';
    const payload = { title: 'two', severity: 'low', text: 'one\u001b[31m\ntwo' };
    await terminal.send({ ...effect('k'), payload }, new AbortController().signal);
    expect(line).toBe('[low] two\n    one [31m\n    two\n');
  });
});

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that checks signatures the way the specification says. */
async function receiver(answer: number) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ headers: request.headers, body });
      response.writeHead(answer, { location: 'http://127.0.0.1:1/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  close = () => new Promise((resolve) => server.close(() => resolve()));
  return { seen, url: `http://127.0.0.1:${port}/hook` };
}

let close: () => Promise<void> = () => Promise.resolve();
afterEach(() => close());

describe('a webhook', () => {
  const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  const { signal } = new AbortController();

  test('is signed over id, time and body, with our key as its id', async () => {
    const { seen, url } = await receiver(204);
    const hook = webhookDestination({ name: 'team', url, secret, clock });
    expect(await hook.send(effect('notice/a'), signal)).toEqual({ outcome: 'delivered' });
    const { headers, body } = seen[0]!;
    expect(headers['webhook-id']).toBe('notice/a');
    expect(headers['webhook-timestamp']).toBe(String(Date.UTC(2026, 5, 1) / 1000));
    const signed = `notice/a.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(JSON.parse(body)).toMatchObject({ type: 'hone.notice', data: { title: 'ü' } });
  });

  test('the specification’s own example is signed as it says', () => {
    const example = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const text = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(signature(example, text)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test.each([
    [200, { outcome: 'delivered' }],
    [302, { outcome: 'failed', permanent: true }],
    [401, { outcome: 'failed', permanent: true }],
    [410, { outcome: 'failed', permanent: true }],
    [429, { outcome: 'failed', permanent: false }],
    [503, { outcome: 'failed', permanent: false }],
  ])('an answer of %i', async (status, expected) => {
    const { url, seen } = await receiver(status);
    const hook = webhookDestination({ name: 'team', url, secret, clock });
    expect(await hook.send(effect('k'), signal)).toMatchObject(expected);
    expect(seen).toHaveLength(1); // a redirect is not followed
  });

  test('a receiver that is not there certainly got nothing, and no secret is in the error', async () => {
    const { url } = await receiver(200);
    await close();
    close = () => Promise.resolve();
    const hook = webhookDestination({ name: 'team', url, secret, clock });
    const sent = await hook.send(effect('k'), signal);
    expect(sent).toMatchObject({ outcome: 'failed', notDone: true });
    expect(JSON.stringify(sent)).not.toContain(secret);
  });
});
