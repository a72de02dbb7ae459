/** `hone up`: the server and its workers, until a signal ends them. */
import { type Context, withOpened } from '../context.ts';
import { present } from '../io.ts';

export function up(context: Context, options: { port?: number }): Promise<number> {
  return withOpened(context, async (opened) => {
    const server = await context.startServer(opened, options.port);
    present(context.io, { url: server.url, pid: process.pid }, ({ url }) =>
      [
        `Hone is up at ${url}\n`,
        `  repository  ${opened.home.root}\n`,
        `  store       ${opened.store.location}\n`,
        opened.configuration === 'edited'
          ? '  hone.yaml was edited; without effect until "hone config accept"\n'
          : '',
        opened.configuration === 'unreadable'
          ? '  This build cannot read what was accepted: it only watches and rolls back.\n' +
            '  Correct hone.yaml, then "hone config accept".\n'
          : '',
        'Ctrl-C stops it. "hone status" shows how things stand.\n',
      ].join(''),
    );
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    if (!context.io.json) context.io.out('Stopping.\n');
    await server.stop();
    return 0;
  });
}
