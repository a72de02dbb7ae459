import { expect, test } from 'vitest';
import { z } from 'zod';
import { honeSections } from '../loop/sections.ts';
import { composeSections, field, section } from './fields.ts';
import { configChanges, showConfig } from './show-config.ts';

const schema = composeSections(honeSections);

test('a configuration is shown as it is written, and reads back the same', () => {
  const config = schema.parse({});
  const written = showConfig(schema, config);
  expect(written).toMatchObject({
    lease: { ttl: '30s' },
    limits: { rejectionPause: '2d' },
    store: { url: 'sqlite' },
  });
  expect(schema.parse(written)).toEqual(config);
});

test('changes name the keys, in the form of the file', () => {
  const before = schema.parse({});
  const after = schema.parse({
    lease: { ttl: '1m' },
    server: { allowedHosts: ['a.example'] },
    store: { url: 'env:HONE_DATABASE_URL' },
  });
  expect(configChanges(schema, before, before)).toEqual([]);
  expect(configChanges(schema, before, after)).toEqual([
    { key: 'store.url', before: '"sqlite"', after: '"env:HONE_DATABASE_URL"' },
    { key: 'server.allowedHosts', before: '[]', after: '["a.example"]' },
    { key: 'lease.ttl', before: '"30s"', after: '"1m"' },
  ]);
});

test('a key of a newer or older build is shown as new or gone', () => {
  const { lease: _, ...before } = schema.parse({});
  const added = [{ key: 'lease.ttl', before: undefined, after: '"30s"' }];
  expect(configChanges(schema, before, schema.parse({}))).toEqual(added);
  expect(configChanges(schema, schema.parse({}), before)[0]?.after).toBeUndefined();
});

test('secrets are masked, and two different ones are still a change', () => {
  const chat = composeSections([
    section('chat', 'Chat.', {
      url: field(z.string(), '', { weakens: 'any', comment: 'Where.' }),
      apiKey: field(z.string(), '', { weakens: 'any', comment: 'Key.' }),
    }),
  ]);
  const one = { chat: { url: 'https://a:hunter1@b', apiKey: 'hunter1' } };
  const two = { chat: { url: 'https://a:hunter2@b', apiKey: 'hunter2' } };
  expect(showConfig(chat, one)).toEqual({
    chat: { url: 'https://[REDACTED:CONNECTION]', apiKey: '***' },
  });
  expect(configChanges(chat, one, two)).toEqual([
    {
      key: 'chat.url',
      before: '"https://[REDACTED:CONNECTION]"',
      after: '"https://[REDACTED:CONNECTION]"',
    },
    { key: 'chat.apiKey', before: '"***"', after: '"***"' },
  ]);
});
