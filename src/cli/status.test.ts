/** What `hone status` and `hone up` show of names and words that others chose. */
import { expect, test } from 'vitest';
import { openTestStore } from '../../test/stores.ts';
import type { Opened } from '../app/context.ts';
import { systemClock } from '../base/index.ts';
import { statusJson } from '../contracts/index.ts';
import { KillSwitch, Switches } from '../policy/index.ts';
import { captureIo } from './captured-io.ts';
import { status } from './commands/status.ts';
import { upText } from './commands/up.ts';
import type { Context } from './context.ts';

const ROOT = '/srv/\u001b[31mred\u001b[0m\nStore  a lie\u202e';

async function shown(json: boolean, host = '127.0.0.1', reason?: string) {
  await using test = await openTestStore('memory');
  const { store } = test;
  const killSwitch = new KillSwitch(store, () => false);
  const actor = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
  if (reason !== undefined) await killSwitch.stop(actor, reason, 'command');
  const opened = {
    home: { root: ROOT, gitDir: '/srv/none' },
    store,
    killSwitch,
    switches: new Switches(store, {}),
    config: {
      schedules: {},
      server: { host },
      deploy: { branch: 'main', forge: 'local', remote: 'origin' },
      observe: {
        retention: { events: 1, counts: 1 },
        otlp: { enabled: false, host: '127.0.0.1', port: 4318 },
      },
    },
    configuration: 'accepted',
    close: () => Promise.resolve(),
  } as unknown as Opened;
  const { io: ioOf, said } = captureIo();
  const io = ioOf(json);
  const context = {
    io,
    clock: systemClock,
    open: () => Promise.resolve(opened),
  } as unknown as Context;
  expect(await status(context)).toBe(0);
  return {
    out: said.out,
    up: upText(
      opened,
      { url: 'http://127.0.0.1:1', telemetry: { url: undefined, fault: undefined } },
      io,
    ),
  };
}

test('names and reasons do nothing to the terminal, and a line stays a line', async () => {
  const { out, up } = await shown(false, '127.0.0.1', 'harm\nLedger  all is well');
  for (const text of [out, up]) expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(out).toMatch(/^Running +STOPPED: harm Ledger {2}all is well$/m);
  expect(out.match(/^(?:Store|Ledger) /gm)).toHaveLength(2);
  expect(up.match(/^ *store /gim)).toHaveLength(1);
  const json = statusJson.parse(JSON.parse((await shown(true)).out));
  expect(json).toMatchObject({ root: ROOT, networkHost: null });
});

test('a server that others reach is said', async () => {
  const { out, up } = await shown(false, '0.0.0.0');
  for (const text of [out, up]) {
    expect(text.replace(/\s+/g, ' ')).toContain('listens on the network (server.host 0.0.0.0)');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  }
  expect(statusJson.parse(JSON.parse((await shown(true, '0.0.0.0')).out)).networkHost).toBe(
    '0.0.0.0',
  );
  const quiet = await shown(false);
  expect(`${quiet.out}${quiet.up}`).not.toContain('network');
});
