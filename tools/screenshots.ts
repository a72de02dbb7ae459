/** `node tools/screenshots.ts`: renews the pictures of the dashboard in `docs/images/`, from a simulated fleet. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, openWindow } from '../test/dashboard/browser.ts';
import { openWorld, type World } from '../test/dashboard/world.ts';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });
const only = process.argv[2];

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly theme?: 'dark';
  readonly width?: number;
  readonly height?: number;
}

async function shoot(world: World, shots: readonly Shot[]): Promise<void> {
  const browser = await launch();
  try {
    for (const { name, path, theme, width = 1280, height = 800 } of shots) {
      if (only !== undefined && !name.includes(only)) continue;
      const { page, context, complaints } = await openWindow(browser, await world.key(), {
        colorScheme: theme ?? 'light',
        viewport: { width, height },
      });
      await page.getByRole('navigation').waitFor();
      await page.goto(`${world.url}${await at(world, path)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `${folder}dashboard-${name}.png` });
      process.stdout.write(`dashboard-${name}.png ${complaints.join('; ')}\n`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** `:proposal`, `:pattern`, `:trace` are the newest of their kind. */
async function at(world: World, path: string): Promise<string> {
  const ids = async (command: string) =>
    (await world.lab.hone(command, 'list', '--json')).json<
      Record<string, { id: string; failed?: number }[]>
    >()[command]!;
  if (path.includes(':proposal')) return path.replace(':proposal', (await ids('proposals'))[0]!.id);
  if (path.includes(':pattern')) return path.replace(':pattern', (await ids('patterns'))[0]!.id);
  if (path.includes(':trace')) {
    const traces = await ids('traces');
    return path.replace(
      ':trace',
      encodeURIComponent((traces.find(({ failed = 0 }) => failed > 0) ?? traces[0])!.id),
    );
  }
  return path;
}

{
  await using world = await openWorld();
  await shoot(world, [
    { name: 'queue', path: '/queue' },
    { name: 'proposal', path: '/proposals/:proposal' },
    { name: 'proposal-whole', path: '/proposals/:proposal', height: 2400 },
    { name: 'proposal-dark', path: '/proposals/:proposal', theme: 'dark', height: 1200 },
    { name: 'phone', path: '/proposals/:proposal', width: 390, height: 844 },
    { name: 'patterns', path: '/patterns' },
    { name: 'pattern', path: '/patterns/:pattern', height: 1100 },
    { name: 'traces', path: '/traces' },
    { name: 'trace', path: '/traces/:trace' },
    { name: 'sources', path: '/sources' },
  ]);
}
{
  await using world = await openWorld({ scenario: 'helps-then-hurts', afterHours: 24 });
  await shoot(world, [
    { name: 'home', path: '/?days=7' },
    { name: 'home-dark', path: '/?days=7', theme: 'dark' },
    { name: 'changes', path: '/changes' },
    { name: 'change', path: '/changes/:proposal', height: 1000 },
    { name: 'loop', path: '/loop' },
    { name: 'ledger', path: '/ledger' },
    { name: 'health', path: '/health' },
  ]);
}
