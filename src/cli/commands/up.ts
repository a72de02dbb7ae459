/** `hone up`: the server and its workers, until a signal ends them. */

import { type Opened, withOpened } from '../../app/context.ts';
import { networkHost, networkWords } from '../../app/listens-on.ts';
import type { ServiceUnit, Serving } from '../../contracts/server.ts';
import type { Context } from '../context.ts';
import { type Io, plainLine, present, refuse } from '../io.ts';
import { fields, wrap } from '../layout.ts';
import { type ServiceManager, serviceUnit } from '../service-unit.ts';

export async function up(
  context: Context,
  options: { port?: number; printUnit?: ServiceManager },
): Promise<number> {
  if (options.printUnit !== undefined) return printUnit(context, options.printUnit);
  return withOpened(context, async (opened) => {
    const server = await context.startServer(opened, options.port);
    const { url, telemetry } = server;
    const serving: Serving = { url, pid: process.pid, telemetry: telemetry.url ?? null };
    // A key in a log would be there for others to read; "hone open" makes one for whoever asks.
    const dashboard = context.io.isTerminal ? await server.dashboardUrl() : undefined;
    present(context.io, serving, () => upText(opened, { url, telemetry, dashboard }, context.io));
    if (context.io.isTerminal) void server.prepareDashboard();
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
  if (!unit.ok) return refuse(io, { refused: unit.why, kind: 'usage' });
  const { path, text, start } = unit;
  const printed: ServiceUnit = { manager, path, text, start };
  present(io, printed, () => text);
  if (!io.json) {
    const commands = start.map((line) => `  ${line}\n`);
    io.err(wrap(`Save it as ${path}, then:`, io.errorColumns) + commands.join(''));
  }
  return 0;
}

export function upText(
  { home, store, config, configuration }: Opened,
  {
    url,
    telemetry,
    dashboard,
  }: Pick<Awaited<ReturnType<Context['startServer']>>, 'url' | 'telemetry'> & {
    readonly dashboard?: string | undefined;
  },
  { columns }: Io,
): string {
  const host = networkHost(config);
  const places = [
    ['repository', plainLine(home.root)],
    ['store', plainLine(store.location)],
    ...(telemetry.url === undefined ? [] : [['telemetry', `OTLP at ${telemetry.url}`] as const]),
  ] as const;
  const notes = [
    ...(configuration === 'accepted' ? [] : [CONFIGURATION_WORDS[configuration]]),
    ...(host === null ? [] : [networkWords(host)]),
    ...(telemetry.fault === undefined
      ? []
      : [`No telemetry is received: ${telemetry.fault} Another port is set by observe.otlp.port.`]),
  ];
  return [
    `Hone is up at ${url}\n`,
    fields(places, columns, '  '),
    ...(dashboard === undefined
      ? [wrap('"hone open" opens the dashboard.', columns, '  ')]
      : [`  The dashboard, for a minute and once (later: "hone open"):\n  ${dashboard}\n`]),
    ...notes.map((note) => wrap(note, columns, '  ')),
    wrap('Ctrl-C stops it. "hone status" shows how things stand.', columns),
  ].join('');
}

const CONFIGURATION_WORDS: Readonly<Record<Exclude<Opened['configuration'], 'accepted'>, string>> =
  {
    missing: 'hone.yaml is missing; the accepted configuration stays in effect',
    edited: 'hone.yaml was edited; no effect until "hone config accept"',
    outdated:
      'This build reads the accepted configuration differently, so it only watches and rolls back. See "hone config show", then "hone config accept".',
    unreadable:
      'This build cannot read the accepted configuration, so it only watches and rolls back. Correct hone.yaml, then "hone config accept".',
    superseded:
      'The configuration kept here is not the one accepted last, so Hone only watches and rolls back. See "hone config show", then "hone config accept".',
  };
