/**
 * `npm run build`: bundles `dist/` for publishing. Node strips no types below `node_modules`, so the
 * package holds plain JavaScript; its bin runs on plain `node`. Code is split where the source imports
 * dynamically, so a small command still loads little.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const bundle = await rolldown({
  input: { hone: new URL('src/main.ts', root).pathname },
  platform: 'node',
  // pg looks for its optional native twin; it is not part of the package.
  external: ['pg-native'],
});
await bundle.write({
  dir: dist.pathname,
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});

const published = {
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  license: manifest.license,
  type: 'module',
  engines: manifest.engines,
  bin: { hone: 'hone.js' },
  files: ['hone.js', 'chunks', 'LICENSE', 'README.md'],
};
writeFileSync(new URL('package.json', dist), `${JSON.stringify(published, null, 2)}\n`);
cpSync(new URL('lab/scenarios', root), new URL('chunks/scenarios', dist), { recursive: true });
for (const file of ['LICENSE', 'README.md']) cpSync(new URL(file, root), new URL(file, dist));
process.stdout.write(`Built dist/ (hone ${manifest.version}).\n`);
