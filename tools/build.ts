/**
 * `npm run build`: bundles `dist/` for publishing. Node strips no types below `node_modules`, so the
 * package holds plain JavaScript; its bin runs on plain `node`. Code is split where the source imports
 * dynamically, so a small command still loads little.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  type RolldownOutput,
  rolldown,
} from 'rolldown';

import { buildDashboard } from './build-dashboard.ts';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** What a hook loads is one file, and so is what `hone status` loads: opening forty small ones takes as long as reading them. */
const HOOK = ['src/compose/hook.ts'];
/** What a hook needs more to record a refusal, and what one needs to ask a person. */
const RECORD = ['src/sanitise/index.ts'];
const ASK = ['src/ledger/entry-body.ts'];
const START = ['src/cli/program.ts', 'src/compose/context.ts', 'src/cli/commands/status.ts'];

const CEDAR = '@cedar-policy/cedar-wasm';
const CEDAR_ENTRY = `${CEDAR}/nodejs`;

/** The modules of the chunks that `holds` names, and of all that they import. */
function modulesOf(
  output: RolldownOutput['output'],
  holds: (chunk: OutputChunk) => boolean,
): Set<string> {
  const chunks = new Map(
    output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
  );
  const files = new Set([...chunks.values()].filter(holds).map(({ fileName }) => fileName));
  for (const file of files)
    for (const one of chunks.get(file)!.imports) if (chunks.has(one)) files.add(one);
  return new Set([...files].flatMap((file) => chunks.get(file)!.moduleIds));
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

/**
 * An import of `node:fs` reads all that it exports, and with it loads streams and promises: 4 ms of a start. Asked for as
 * a value it loads nothing. Not in what loads in an old Node, which has no such question.
 */
const builtinsByName: Plugin = {
  name: 'builtins-by-name',
  renderChunk(code, { isEntry, name }) {
    if (isEntry || name === 'first') return null;
    return code.replace(
      BUILTIN_IMPORT,
      (_, whole: string | undefined, named: string, from: string) => {
        const module = `process.getBuiltinModule(${from})`;
        const bound = named?.replaceAll(' as ', ': ');
        if (whole === undefined) return `const{${bound}}=${module};`;
        return `const ${whole}=${module}${bound === undefined ? '' : `,{${bound}}=${whole}`};`;
      },
    );
  },
};
const BUILTIN_IMPORT =
  /^import\s+(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}\s*)?from\s*(["']node:[a-z_/]+["']);?$/gm;

const entry = new URL('src/main.ts', root).pathname;
const bundle = await rolldown({
  input: { hone: entry },
  plugins: [builtinsByName],
  platform: 'node',
  // pg looks for its optional native twin; it is not part of the package. Cedar reads its wasm from its own folder.
  external: ['pg-native', CEDAR_ENTRY],
});
const output: OutputOptions = {
  dir: dist.pathname,
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
};
const split = (await bundle.generate(output)).output;
// What the bin itself imports stays apart: it answers `--version`, and loads in an old Node.
const first = modulesOf(split, ({ isEntry }) => isEntry);
first.delete(entry);
const loadedBy = (sources: readonly string[]) => {
  const paths = new Set(sources.map((source) => new URL(source, root).pathname));
  return modulesOf(split, ({ moduleIds }) => moduleIds.some((id) => paths.has(id)));
};
// What several of them load is in the file of the first.
const parts = { hook: HOOK, record: RECORD, ask: ASK, start: START };
const groups = [
  { name: 'first', test: (id: string) => first.has(id), priority: 5 },
  ...Object.entries(parts).map(([name, sources], at) => {
    const loaded = loadedBy(sources);
    return { name, test: (id: string) => loaded.has(id), priority: 4 - at };
  }),
];
await bundle.write({ ...output, codeSplitting: { groups } });

// The demo starts them as processes of their own.
const servers = await rolldown({
  input: Object.fromEntries(
    ['files', 'post'].map((name) => [
      `${name}-server`,
      new URL(`lab/servers/${name}-server.ts`, root).pathname,
    ]),
  ),
  platform: 'node',
});
await servers.write({ ...output, dir: new URL('servers/', dist).pathname });

const published = {
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  license: manifest.license,
  type: 'module',
  engines: manifest.engines,
  bin: { hone: 'hone.js' },
  dependencies: { [CEDAR]: manifest.dependencies[CEDAR] },
  bundleDependencies: [CEDAR],
  files: ['hone.js', 'chunks', 'servers', 'dashboard', 'LICENSE', 'README.md'],
};
writeFileSync(new URL('package.json', dist), `${JSON.stringify(published, null, 2)}\n`);
// Only what Node loads of it: the package holds its wasm three times.
for (const part of ['package.json', 'nodejs'])
  cpSync(
    new URL(`node_modules/${CEDAR}/${part}`, root),
    new URL(`node_modules/${CEDAR}/${part}`, dist),
    { recursive: true },
  );
for (const file of globSync('shipped.cedar*', { cwd: new URL('src/policy/', root) }))
  cpSync(new URL(`src/policy/${file}`, root), new URL(`chunks/${file}`, dist));
// The grammar's package would build itself when it is installed; only its wasm is used (`document/shell-syntax.ts`).
for (const file of ['web-tree-sitter/tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'])
  cpSync(new URL(`node_modules/${file}`, root), new URL(`chunks/${basename(file)}`, dist));
// Those that the demo plays; the folders below are for measuring.
const scenarios = new URL('lab/scenarios/', root);
mkdirSync(new URL('chunks/scenarios/', dist), { recursive: true });
for (const file of globSync('*.yaml', { cwd: scenarios }))
  cpSync(new URL(file, scenarios), new URL(`chunks/scenarios/${file}`, dist));
cpSync(await buildDashboard(), new URL('dashboard/', dist), { recursive: true });
for (const file of ['LICENSE', 'README.md']) cpSync(new URL(file, root), new URL(file, dist));
process.stdout.write(`Built dist/ (hone ${manifest.version}).\n`);
