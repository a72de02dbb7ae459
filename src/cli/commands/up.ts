/** `hone up`: the server and its workers, until a signal ends them. */
import type { ConfigurationState } from '../../config/types.ts';
import { type Context, type Opened, withOpened } from '../context.ts';
import { plainLine, present, refuse, wrap } from '../io.ts';
import { networkHost, networkWords } from '../listens-on.ts';
import { type ServiceManager, serviceUnit } from '../service-unit.ts';

export async function up(
  context: Context,
  options: { port?: number; printUnit?: ServiceManager },
): Promise<number> {
  if (options.printUnit !== undefined) return printUnit(context, options.printUnit);
  return withOpened(context, async (opened) => {
    const server = await context.startServer(opened, options.port);
    present(context.io, { url: server.url, pid: process.pid }, ({ url }) => upText(opened, url));
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    if (!context.io.json) context.io.out('Stopping.\n');
    await server.stop();
    return 0;
  });
}

/** For the installation as it is called now: the same node, the same bin, the same folders. */
async function printUnit(context: Context, manager: ServiceManager): Promise<number> {
  const { io, environment } = context;
  const home = context.home();
  const unit = serviceUnit(manager, {
    root: home.root,
    command: [process.execPath, ...process.execArgv, process.argv[1]!, 'up'],
    environment: Object.fromEntries(
      ['HOME', 'PATH', 'XDG_STATE_HOME', 'HONE_LOG'].flatMap((name) =>
        environment[name] === undefined ? [] : [[name, environment[name]]],
      ),
    ),
  });
  if (!unit.ok) return refuse(io, unit.why, 2);
  const { path, text, start } = unit;
  present(io, { manager, path, text, start }, () => text);
  if (!io.json) io.err(`Save it as ${path}, then:\n${start.map((line) => `  ${line}\n`).join('')}`);
  return 0;
}

export function upText({ home, store, config, configuration }: Opened, url: string): string {
  const host = networkHost(config);
  return [
    `Hone is up at ${url}\n`,
    `  repository  ${plainLine(home.root)}\n`,
    `  store       ${plainLine(store.location)}\n`,
    CONFIGURATION_WORDS[configuration],
    host === null ? '' : wrap(networkWords(host), 80, '  '),
    'Ctrl-C stops it. "hone status" shows how things stand.\n',
  ].join('');
}

const CONFIGURATION_WORDS: Readonly<Record<ConfigurationState, string>> = {
  accepted: '',
  missing: '  hone.yaml is missing; what was accepted stays in effect\n',
  edited: '  hone.yaml was edited; without effect until "hone config accept"\n',
  outdated:
    '  What was accepted means something else to this build: it only watches and\n' +
    '  rolls back. See "hone config show", then "hone config accept".\n',
  unreadable:
    '  This build cannot read what was accepted: it only watches and rolls back.\n' +
    '  Correct hone.yaml, then "hone config accept".\n',
  superseded:
    '  What was accepted last is not what is kept here: it only watches and\n' +
    '  rolls back. See "hone config show", then "hone config accept".\n',
};
