import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { allMigrations } from '../migrations/index.ts';
import { openPostgres } from './store.ts';

test('a server that takes the connection and says nothing is given up, in words', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `postgres://hone:hidden@127.0.0.1:${port}/db`;
    const opening = openPostgres({ url, migrations: allMigrations, connectMsMax: 20 });
    await expect(opening).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`127.0.0.1:${port}`),
      hint: expect.stringContaining('Check that the server runs'),
    });
    await expect(opening).rejects.not.toThrow('hidden');
    expect(sockets).toHaveLength(1);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
