import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type SentWebhook, WebhookReader } from './webhook.ts';

const SECRET = 'It is a secret to everybody';
const BODY = JSON.stringify({
  action: 'submitted',
  pull_request: { head: { ref: 'hone/proposal-p_1' } },
});
const sign = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function sent(rawBody: string, more: Record<string, string | undefined> = {}): SentWebhook {
  const headers: Record<string, string | undefined> = {
    'x-hub-signature-256': sign(rawBody),
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-github-event': 'pull_request_review',
    ...more,
  };
  return { rawBody, header: (name) => headers[name] };
}

test('a signature as GitHub’s documentation has it verifies', () => {
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const hello = sent('Hello, World!', { 'x-hub-signature-256': signature });
  expect(new WebhookReader("It's a Secret to Everybody").read(hello)).toEqual({ is: 'ignored' });
});

test('a review of Hone’s pull request makes it look, once, whatever delivery a replay names', () => {
  const reader = new WebhookReader(SECRET);
  expect(reader.read(sent(BODY))).toEqual({ is: 'look', proposalId: 'p_1' });
  expect(reader.read(sent(BODY))).toEqual({ is: 'ignored' });
  expect(reader.read(sent(BODY, { 'x-github-delivery': 'other' }))).toEqual({ is: 'ignored' });
  const next = BODY.replace('submitted', 'dismissed');
  expect(reader.read(sent(next))).toMatchObject({ is: 'look' });
});

test.each<[string, Record<string, string | undefined>]>([
  ['no signature', { 'x-hub-signature-256': undefined }],
  ['the signature of another body', { 'x-hub-signature-256': sign(`${BODY} `) }],
  ['another secret', { 'x-hub-signature-256': sign(BODY, 'x') }],
  ['the old digest', { 'x-hub-signature-256': sign(BODY).replace('sha256', 'sha1') }],
])('%s is refused', (_, more) => {
  expect(new WebhookReader(SECRET).read(sent(BODY, more))).toMatchObject({ is: 'refused' });
});

test('without a secret nothing is taken, not even what is signed with an empty one', () => {
  const forged = sent(BODY, { 'x-hub-signature-256': sign(BODY, '') });
  expect(new WebhookReader('').read(forged)).toMatchObject({ is: 'refused' });
});

test.each([
  ['another event', BODY, { 'x-github-event': 'push' }],
  ['another branch', BODY.replace('hone/proposal-', 'feature/'), {}],
  ['a body that is no JSON', '{', {}],
  ['a head of another form', '{"pull_request":{"head":{"ref":["hone/proposal-x"]}}}', {}],
])('%s is ignored', (_, body, more) => {
  expect(new WebhookReader(SECRET).read(sent(body, more))).toEqual({ is: 'ignored' });
});
