import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { openTestStore } from '../../test/stores.ts';
import { digestOf, digestOfBytes } from '../base/index.ts';
import { acceptedLast } from '../config/index.ts';
import type { Home } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { acceptConfiguration } from './accept-configuration.ts';

test('who is no operator any more at the moment of the commit changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-accept-'));
  await using opened = await openTestStore('memory');
  const { store } = opened;
  const acceptedFile = join(folder, 'accepted.json');
  const options = {
    context: { build: 'test' },
    home: { acceptedFile } as Home,
    store,
    parsed: { config: {} as HoneConfig, digest: digestOf({}) },
    text: '{}\n',
    actor: { kind: 'human', id: 'operator@example.org', verified: 'token' },
  } as const;
  const expectOperator = [{ table: 'identity_tokens', where: { role: 'operator' } }];
  expect(await acceptConfiguration({ ...options, expect: expectOperator })).toBe(false);
  expect([await acceptedLast(store), await recorded(store)]).toEqual([
    { pinned: null, recorded: null },
    [],
  ]);
  expect(existsSync(acceptedFile)).toBe(false);
  expect(await acceptConfiguration(options)).toBe(true);
  const digest = digestOf({});
  const recordedLast = { digest, file: digestOfBytes('{}\n') };
  expect(await acceptedLast(store)).toEqual({ pinned: digest, recorded: recordedLast });
  expect(existsSync(acceptedFile)).toBe(true);
  rmSync(folder, { recursive: true });
});
