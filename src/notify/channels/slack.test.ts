import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { channelContract, effectOf, NOTICE, portsOf } from '../channel-contract.test-support.ts';
import { slack } from './slack.ts';

const SETTING = [{ name: 'ops', urlEnv: 'HONE_SLACK' }];

async function receiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push((JSON.parse(body) as { text: string }).text);
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { bodies, close, url: `http://127.0.0.1:${port}/services/T0/B0/key` };
}

channelContract('slack', async () => {
  const { bodies, close, url } = await receiver();
  return {
    channel: slack,
    setting: SETTING,
    off: [],
    received: () => bodies.join(''),
    fail: close,
    ports: { secret: () => url },
    close: () => close().catch(() => {}),
  };
});

test('mentions and links of others are shown as text, and nobody is told the address', async () => {
  const { bodies, close, url } = await receiver();
  const [to] = slack.open(SETTING, portsOf({ secret: () => url }).ports);
  const payload = { ...NOTICE, title: '<!channel> a & b', text: '<https://evil.example|click>' };
  await to!.send(effectOf(payload), new AbortController().signal);
  expect(bodies).toEqual([
    '*[high] &lt;!channel&gt; a &amp; b*\n&lt;https://evil.example|click&gt;',
  ]);
  await close();
  const sent = await to!.send(effectOf(NOTICE), new AbortController().signal);
  expect(JSON.stringify(sent)).not.toContain('/services/');
});

test('without an address it is left out, and the variable is named', () => {
  const { ports, warned } = portsOf({ secret: () => undefined });
  expect(slack.open(SETTING, ports)).toEqual([]);
  expect(warned).toEqual(['a Slack webhook has no address']);
});

test('what may have been sent is never sent again by itself', () => {
  const [to] = slack.open(SETTING, portsOf({ secret: () => 'https://hooks.example/x' }).ports);
  expect(to!.kind).toBe('once');
});
