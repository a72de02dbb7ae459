/** Telemetry files that lead elsewhere, and clients that take up the server. */

import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppContext } from '../../src/app/context.ts';
import { idMaker, silentLog, systemClock, systemRandom } from '../../src/base/index.ts';
import { stopJson } from '../../src/contracts/index.ts';
import { apiRoutes, startHost } from '../../src/http/index.ts';
import { Tokens } from '../../src/identity/index.ts';
import { nodeSourceFiles } from '../../src/observe/index.ts';
import { KillSwitch } from '../../src/policy/index.ts';
import { openTestStore } from '../stores.ts';

describe('OBS-1 a source swapped for a link', () => {
  let folder: string;
  let root: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hone-sources-')));
    root = join(folder, 'repository');
    mkdirSync(join(root, 'logs'), { recursive: true });
    mkdirSync(join(folder, 'private'));
    for (const file of ['repository/logs/a.jsonl', 'repository/one.jsonl', 'private/a.jsonl'])
      writeFileSync(join(folder, file), `${file}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const names = async (path: string) => {
    await using files = nodeSourceFiles(root);
    const { files: found, notes } = await files.list(path, { extensions: ['jsonl'] });
    return { names: found.map(({ name }) => name), notes };
  };

  test.each([
    ['a file', 'one.jsonl', 'private/a.jsonl'],
    ['a folder', 'logs', 'private'],
  ])(
    '%s that becomes a link out of the repository is not read, and that is said',
    async (_, name, target) => {
      expect((await names(name)).names).not.toEqual([]);
      rmSync(join(root, name), { recursive: true });
      symlinkSync(join(folder, target), join(root, name));
      const { names: found, notes } = await names(name);
      expect(found).toEqual([]);
      expect(notes[0]).toContain('It is a link that leads elsewhere');
      // The same by an absolute path, and through a folder above it.
      expect((await names(join(root, name))).names).toEqual([]);
      expect((await names(join(folder, target))).names).not.toEqual([]);
    },
  );

  test('a folder above it that becomes a link leads nowhere either', async () => {
    mkdirSync(join(root, 'deep', 'logs'), { recursive: true });
    mkdirSync(join(folder, 'private', 'logs'));
    writeFileSync(join(folder, 'private', 'logs', 'a.jsonl'), 'secret\n');
    rmSync(join(root, 'deep'), { recursive: true });
    symlinkSync(join(folder, 'private'), join(root, 'deep'));
    expect((await names('deep/logs')).names).toEqual([]);
  });

  test('between listing and opening, the file or its folder: nothing of the other is read', async () => {
    await using files = nodeSourceFiles(root);
    const [listed] = (await files.list('logs', { extensions: ['jsonl'] })).files;
    renameSync(join(root, 'logs'), join(root, 'was'));
    symlinkSync(join(folder, 'private'), join(root, 'logs'));
    expect(await files.open(listed!.path)).toBeUndefined();
    rmSync(join(root, 'logs'));
    renameSync(join(root, 'was'), join(root, 'logs'));
    rmSync(join(root, 'logs', 'a.jsonl'));
    symlinkSync(join(folder, 'private', 'a.jsonl'), join(root, 'logs', 'a.jsonl'));
    expect(await files.open(listed!.path)).toBeUndefined();
  });
});

describe('ID-1 clients that take up the server', () => {
  const DOOR = { connectionsMax: 3, headersTimeoutMs: 200, requestTimeoutMs: 400 };

  async function opened() {
    const stack = new AsyncDisposableStack();
    const { store } = stack.use(await openTestStore('memory'));
    const killSwitch = new KillSwitch(store, () => false);
    const tokens = new Tokens(store);
    const local = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
    let secret: string | undefined;
    for (const role of ['operator', 'approver'] as const) {
      const made = await tokens.add({
        ...{ name: role, role, asking: { local, secret }, random: systemRandom },
        newId: idMaker(systemClock, systemRandom),
      });
      if (!made.granted) throw new Error(made.why);
      secret = made.secret;
    }
    const config = { identity: { agents: [] }, policy: { commit: '' } };
    const context = {
      door: 'http',
      open: async () => ({ store, killSwitch, config, home: {}, close: async () => {} }),
    } as unknown as AppContext;
    const host = await startHost({
      host: '127.0.0.1',
      port: 0,
      workers: [],
      clock: systemClock,
      log: silentLog,
      guard: { allowedHosts: [], allowedOrigins: [] },
      door: DOOR,
      routes: apiRoutes({ context, clock: systemClock, log: silentLog }),
      bearer: async (given) => {
        const bearer = await tokens.bearer(given);
        return 'why' in bearer ? undefined : bearer;
      },
      probe: async () => {},
    });
    stack.defer(() => host.stop());
    const port = Number(new URL(host.url).port);
    const dial = async (): Promise<Socket> => {
      const socket = stack.adopt(connect(port, '127.0.0.1'), (one) => void one.destroy());
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    return { stack, host, dial, killSwitch, secret: secret! };
  }

  /** All that it is told until the server hangs up. */
  const untilClosed = async (socket: Socket) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.resume();
    // Not `once`, which takes a connection that was reset for a failure.
    if (!socket.destroyed) await new Promise((closed) => socket.on('close', closed));
    return text;
  };

  test('more connections than the limit are closed at once, and those that there are go on', async () => {
    const { stack, dial } = await opened();
    await using _ = stack;
    const first = await dial();
    await Promise.all([dial(), dial()]);
    expect(await untilClosed(await dial())).toBe('');
    first.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await untilClosed(first)).toContain('200 OK');
  });

  test.each([
    ['nothing', ''],
    ['headers without an end', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    [
      'a body without an end',
      'POST /api/stop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('a client that sends %s is cut off, and its place is free', async (_, text) => {
    const { stack, dial, host } = await opened();
    await using __ = stack;
    const slow = await Promise.all([dial(), dial(), dial()]);
    for (const socket of slow) socket.write(text);
    await Promise.all(slow.map(untilClosed));
    expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  });

  test('headers without measure are cut off', async () => {
    const { stack, dial, host } = await opened();
    await using _ = stack;
    const socket = await dial();
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(100_000)}`);
    expect(await untilClosed(socket)).not.toContain('200 OK');
    expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  });

  test('KILL-1 the emergency guide’s own line stops everything', async () => {
    const { stack, host, killSwitch, secret } = await opened();
    await using _ = stack;
    const guide = readFileSync(
      new URL('../../docs/guides/when-something-is-wrong.md', import.meta.url),
      'utf8',
    );
    const [, method, header, url] =
      /^curl -X (\S+) -H "([^"]+)" (\S+)$/m.exec(guide) ?? expect.unreachable('no such line');
    const [name, value] = header!.replace('$HONE_TOKEN', secret).split(': ');
    const { pathname } = new URL(url!);
    const answer = await fetch(`${host.url}${pathname}`, {
      method: method!,
      headers: { [name!]: value! },
    });
    expect(answer.status).toBe(200);
    expect(stopJson.parse(await answer.json())).toMatchObject({ stopped: true, changed: true });
    expect(await killSwitch.state()).toMatchObject({ stopped: true, actor: 'token:approver' });
  });
});
