/**
 * Builds the dashboard once and keeps it by the digest of its sources: `node tools/build-dashboard.ts`. `hone up` in a
 * checkout runs it when a page is first asked for; `tools/build.ts` puts the same files into the package.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const cache = join(root, 'node_modules/.cache/hone-dashboard');
/** Builds that are kept: of the branches that somebody goes back and forth between. */
const KEPT = 5;

/** Gives the folder with its files. */
export async function buildDashboard(): Promise<string> {
  const folder = join(cache, digestOfSources());
  if (existsSync(join(folder, 'index.html'))) return folder;
  mkdirSync(cache, { recursive: true });
  const making = `${folder}.${process.pid}`;
  // Whoever asks for it, such as a test, gets what the package has.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  const configFile = join(root, 'dashboard/vite.config.ts');
  try {
    await build({ configFile, build: { outDir: making }, logLevel: 'error' });
    renameSync(making, folder);
  } catch (error) {
    // Another process was faster; what it made is the same.
    if (!existsSync(join(folder, 'index.html'))) throw error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  dropOld(folder);
  return folder;
}

function digestOfSources(): string {
  const files = globSync(['dashboard/**/*.*', 'package-lock.json'], { cwd: root })
    .filter((file) => !/\.(?:test\.tsx?|md)$/.test(file))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

function dropOld(current: string): void {
  const others = readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((folder) => folder !== current && !folder.includes('.', cache.length + 1));
  for (const folder of others.slice(0, Math.max(0, others.length - KEPT + 1)))
    rmSync(folder, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await buildDashboard()}\n`);
}
