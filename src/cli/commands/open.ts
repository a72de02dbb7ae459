/** `hone open`: opens the dashboard of the running server in a browser, or prints where it is. */
import { spawn } from 'node:child_process';
import { openDashboard } from '../../app/open-dashboard.ts';
import { isRefusal } from '../../app/refusal.ts';
import type { Context } from '../context.ts';
import { present, refuse } from '../io.ts';
import { wrap } from '../layout.ts';

/** What opens an address in the person's browser, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
  linux: ['xdg-open'],
};

export async function open(context: Context, options: { print: boolean }): Promise<number> {
  const { io } = context;
  const opened = await openDashboard(context);
  if (isRefusal(opened)) return refuse(io, opened);
  const { url, local } = opened;
  const isOpened = !options.print && !io.json && io.isTerminal && (await openBrowser(context, url));
  present(io, opened, () => {
    const note = local ? 'It works once, for a minute.' : 'It asks for a token ("hone token add").';
    return `${url}\n${wrap(isOpened ? `Opened in your browser. ${note}` : note, io.columns)}`;
  });
  return 0;
}

/** False where there is no browser, such as on a server: then the address is enough. */
function openBrowser({ environment }: Context, url: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? [];
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const env = { ...environment } as NodeJS.ProcessEnv;
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
