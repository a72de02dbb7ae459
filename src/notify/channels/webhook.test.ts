import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  channelContract,
  effectOf,
  NOTICE,
  portsOf,
  SECRET,
} from '../channel-contract.test-support.ts';
import { signature, webhooks } from './webhook.ts';

const setting = (url: string) => [{ name: 'team', url, secretEnv: 'HONE_WEBHOOK' }];
const hookTo = (url: string) => webhooks.open(setting(url), portsOf().ports)[0]!;

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
  const { signal } = new AbortController();

  test('is signed over id, time and body, with our key as its id', async () => {
    const { seen, url } = await receiver(204);
    const hook = hookTo(url);
    expect(await hook.send(effectOf(NOTICE, 'notice/a'), signal)).toEqual({ outcome: 'delivered' });
    const { headers, body } = seen[0]!;
    expect(headers['webhook-id']).toBe('notice/a');
    expect(headers['webhook-timestamp']).toBe(String(Date.UTC(2026, 5, 1) / 1000));
    const signed = `notice/a.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(JSON.parse(body)).toMatchObject({ type: 'hone.notice', data: NOTICE });
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
    const hook = hookTo(url);
    expect(await hook.send(effectOf(NOTICE), signal)).toMatchObject(expected);
    expect(seen).toHaveLength(1); // a redirect is not followed
  });

  test('a receiver that is not there certainly got nothing, and no secret is in the error', async () => {
    const { url } = await receiver(200);
    await close();
    close = () => Promise.resolve();
    const hook = hookTo(url);
    const sent = await hook.send(effectOf(NOTICE), signal);
    expect(sent).toMatchObject({ outcome: 'failed', notDone: true });
    expect(JSON.stringify(sent)).not.toContain(SECRET);
  });
});

channelContract('webhook', async () => {
  const { seen, url } = await receiver(204);
  return {
    channel: webhooks,
    setting: setting(url),
    off: [],
    received: () => seen.map(({ body }) => body).join(''),
    fail: () => close(),
  };
});

test('a webhook without a secret is left out, and said', () => {
  const { ports, warned } = portsOf({ secret: () => undefined });
  expect(webhooks.open(setting('https://example.org/'), ports)).toEqual([]);
  expect(warned).toEqual(['a webhook has no secret']);
});
