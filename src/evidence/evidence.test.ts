import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { Actor, EvidenceKind, EvidenceNeed } from '../facts/index.ts';
import {
  evidenceOf,
  findEvidence,
  makePack,
  packParts,
  type RunEnd,
  readEvidenceFile,
  readManifest,
  runOwn,
  validatorOf,
  verifyPack,
} from './index.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'local' };
const RUN: RunEnd = {
  ...{
    command: ['npm', 'test'],
    report: 'r.xml',
    ended: 'exited',
    exitCode: 0,
    wallMs: 5,
    kept: {},
  },
};
const GREEN = '<testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>';
const RED = '<testsuite><testcase name="a"><failure>no</failure></testcase></testsuite>';

const judge = (
  kind: EvidenceKind,
  text: string,
  { run, ...need }: Partial<EvidenceNeed> & { run?: RunEnd } = {},
) => validatorOf(kind).judge({ name: 'file', text }, { evidence: kind, ...need }, run);

describe('what makes evidence right', () => {
  test.each([
    ['JUnit', GREEN, RED],
    ['Vitest', vitest('passed'), vitest('failed')],
    ['Playwright', playwright('expected'), playwright('unexpected')],
    ['pytest', pytest('passed'), pytest('failed')],
    ['go', go('pass'), go('fail')],
  ])('green and red results of %s, and half of them', (_, green, red) => {
    expect(judge('tests', green)).toMatchObject({
      isValid: true,
      problem: null,
      found: { passed: 1 },
    });
    expect(judge('tests', red)).toMatchObject({ isValid: false, found: { failed: 1 } });
    expect(judge('tests', green.slice(0, Math.floor(green.length * 0.6)))).toMatchObject({
      isValid: false,
    });
  });

  test('results without a test that passed, or of a run that failed beside them', () => {
    expect(judge('tests', '<testsuite/>')).toMatchObject({
      problem: 'No test passed, so it shows nothing.',
    });
    expect(judge('tests', GREEN, { run: { ...RUN, exitCode: 1 } })).toMatchObject({
      isValid: false,
    });
    expect(judge('tests', GREEN, { run: { ...RUN, ended: 'time' } })).toMatchObject({
      isValid: false,
    });
    expect(judge('tests', GREEN, { run: RUN })).toMatchObject({ isValid: true });
    // Without a report the exit code is all there is, in a run of Hone's own only.
    expect(judge('tests', 'ok', { run: { ...RUN, report: null } })).toMatchObject({
      isValid: true,
    });
    expect(judge('tests', 'ok', { run: RUN })).toMatchObject({ isValid: false });
    expect(judge('tests', 'ok')).toMatchObject({ isValid: false });
  });

  test('a build by its exit code; a log that was handed in by its lines', () => {
    expect(judge('build', 'warning: error-prone', { run: RUN })).toMatchObject({ isValid: true });
    expect(judge('build', '', { run: { ...RUN, exitCode: 2 } })).toMatchObject({ isValid: false });
    expect(judge('build', 'built 12 modules, 0 errors\n')).toMatchObject({ isValid: true });
    expect(judge('build', 'src/a.ts(1,2): error TS2304: no\n')).toMatchObject({ isValid: false });
    expect(judge('build', '\n')).toMatchObject({ problem: 'The log is empty.' });
  });

  test.each([
    ['lcov', 'TN:\nSF:a.js\nLF:10\nLH:9\nend_of_record\n'],
    ['Cobertura', '<coverage line-rate="0.9"><packages/></coverage>'],
    ['Istanbul', '{"total":{"lines":{"pct":90}}}'],
    ['coverage.py', '{"totals":{"percent_covered":90.0}}'],
    ['Go', 'mode: set\na.go:1.1,2.2 9 1\na.go:3.1,4.2 1 0\n'],
  ])('coverage of %s against what is asked for', (_, text) => {
    expect(judge('coverage', text, { min: 0.9 })).toMatchObject({
      isValid: true,
      found: { lines: 0.9 },
    });
    expect(judge('coverage', text, { min: 0.95 })).toMatchObject({ isValid: false });
    expect(judge('coverage', text.slice(0, -12))).toMatchObject({ isValid: false });
  });

  test('a diff that changes something, whole', () => {
    const diff = `diff --git a/x b/x\nindex ${'1'.repeat(40)}..${'2'.repeat(40)} 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`;
    expect(judge('diff', diff)).toMatchObject({ isValid: true, found: { files: 1 } });
    expect(judge('diff', diff.slice(0, -4))).toMatchObject({ isValid: false });
    expect(judge('diff', '')).toMatchObject({ problem: 'Nothing was changed.' });
  });

  test('a rubric that is met, in every point', () => {
    const of = (...criteria: object[]) =>
      judge('rubric', JSON.stringify({ criteria }), { min: 0.8 });
    expect(of({ name: 'a', score: 0.9 }, { name: 'b', pass: true })).toMatchObject({
      isValid: true,
    });
    expect(of({ name: 'a', score: 0.5 })).toMatchObject({ isValid: false });
    expect(
      of({ name: 'a', pass: false }, ...Array(9).fill({ name: 'b', pass: true })),
    ).toMatchObject({
      problem: 'Not met: a.',
    });
    expect(of({ name: 'a' })).toMatchObject({ isValid: false });
    expect(judge('rubric', '{"criteria":[')).toMatchObject({
      problem: 'It is cut off, or it is not JSON.',
    });
  });

  test('a document with its sections, each with words', () => {
    const need = { sections: ['Edge cases', 'Mitigations'] };
    const text = '# Title\n## Edge  Cases:\nnone\n## Mitigations\n### One\nwords\n';
    expect(judge('document', text, need)).toMatchObject({ isValid: true });
    expect(judge('document', text.replace('none', ''), need)).toMatchObject({
      problem: 'There is nothing below Edge cases.',
    });
    const fenced = '```\n# Edge cases\n```\n# Mitigations\nx\n';
    expect(judge('document', fenced, need)).toMatchObject({
      problem: 'It has no section Edge cases.',
    });
    expect(judge('document', ' \n', {})).toMatchObject({ problem: 'It has no text.' });
  });
});

describe('a file that is handed in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-evidence-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);

  test('is refused if it is a link, a folder, too large, binary or not there', async () => {
    writeFileSync(path('good.md'), 'text');
    symlinkSync(path('good.md'), path('link.md'));
    mkdirSync(path('folder'));
    writeFileSync(path('large'), '');
    truncateSync(path('large'), 2 * 1024 ** 3);
    writeFileSync(path('binary'), Buffer.from([0x7f, 0x45, 0, 1]));
    writeFileSync(path('latin'), Buffer.from([0xe9, 0x20]));
    const why = async (name: string) =>
      readEvidenceFile(path(name)).then(
        () => 'taken',
        (error: Error & { code: string }) => `${error.code}: ${error.message.replace(folder, '')}`,
      );
    expect(await why('link.md')).toMatch(/^bad_file: .*it is a link\.$/);
    expect(await why('folder')).toMatch(/^bad_file: .*it is a folder\.$/);
    expect(await why('large')).toMatch(/^bad_file: .*2147483648 bytes/);
    expect(await why('binary')).toMatch(/^bad_file: .*it is binary/);
    expect(await why('latin')).toMatch(/^bad_file: .*it is binary/);
    expect(await why('none')).toMatch(/^bad_file: .*there is no such file\.$/);
    expect(await why('good.md')).toBe('taken');
  });
});

describe.each(['memory', 'postgres'] as const)('a pack on %s', (kind) => {
  const open = storePerTest(kind);
  const place = { taskId: 'task_1', phase: 'verify', round: 0, position: 0 };
  const packOf = (id: string, text: string) =>
    makePack({
      ...{ id, kind: 'tests', origin: 'own', place, commit: 'a'.repeat(40), run: RUN },
      ...{ need: { evidence: 'tests', own: true }, file: { name: 'r.xml', text } },
      more: [{ name: 'messages.txt', text: 'token ghp_0123456789abcdefghijklmnopqrstuvwxyz' }],
    });

  test('names every file by digest, holds no secret, and is verified byte by byte', async () => {
    const { store } = open();
    const pack = packOf('ev_1', GREEN);
    await store.commit(packParts(pack, place, { actor: AGENT, nowMs: await store.nowMs() }));
    const found = (await findEvidence(store, 'ev_'))!;
    expect(found).toMatchObject({
      taskId: 'task_1',
      fact: { isValid: true, origin: 'own', actor: AGENT },
    });
    const manifest = await readManifest(store, found.fact.manifestDigest);
    expect(manifest).toMatchObject({
      run: { exitCode: 0 },
      files: [{ name: 'r.xml' }, { name: 'messages.txt' }],
    });
    const blobs = await store.all('SELECT content FROM artifact_blobs');
    expect(
      blobs.map((row) => Buffer.from(row['content'] as Uint8Array).toString()).join(),
    ).not.toContain('ghp_');
    expect(await verifyPack(store, found.fact)).toEqual({ ok: true, problems: [] });
    const { digest } = manifest.files[0]!;
    await store.commit({
      writes: [{ update: 'artifact_blobs', where: { digest }, set: { content: Buffer.from(RED) } }],
    });
    expect(await verifyPack(store, found.fact)).toMatchObject({ ok: false });
    expect(await verifyPack(store, { ...found.fact, isValid: false })).toMatchObject({ ok: false });
  });

  test('LEDGER-4 its rows, folded from the ledger, are byte-equal', async () => {
    const { store } = open();
    for (const [at, text] of [GREEN, RED].entries())
      await store.commit(
        packParts(
          packOf(`ev_${at}`, text),
          { ...place, position: at },
          { actor: AGENT, nowMs: await store.nowMs() },
        ),
      );
    const before = await store.all(`SELECT * FROM ${PROJECTED_TABLES[0]} ORDER BY id`);
    expect((await evidenceOf(store, 'task_1')).map(({ isValid }) => isValid)).toEqual([
      true,
      false,
    ]);
    for (const { id } of before)
      await store.commit({ writes: [{ delete: 'evidence_items', where: { id: id! } }] });
    const versions = new Map();
    for (const entry of await recorded(store))
      await store.commit({ writes: projectEntry(entry, versions) });
    expect(await store.all(`SELECT * FROM ${PROJECTED_TABLES[0]} ORDER BY id`)).toEqual(before);
  });
});

test('a run of Hone’s own gives the report, what was printed, and how it ended', async () => {
  const asked: unknown[] = [];
  const run = await runOwn(
    {
      open: async (where) => ({
        run: async (command) => {
          asked.push(where, command);
          return {
            ...{ ended: 'exited', exitCode: 0, output: Buffer.from(GREEN), wallMs: 1.4, kept: {} },
            messages: Buffer.from('1 test'),
          };
        },
        [Symbol.asyncDispose]: async () => {},
      }),
    },
    { commit: 'b', base: 'a' },
    { argv: ['npm', 'test'], timeoutMs: 1000, report: 'r.xml' },
    new AbortController().signal,
  );
  expect(asked).toEqual([
    { commit: 'b', base: 'a' },
    { argv: ['npm', 'test'], timeoutMs: 1000, report: 'r.xml' },
  ]);
  expect(run).toMatchObject({
    file: { name: 'r.xml', text: GREEN },
    more: [{ text: '1 test' }],
    run: { exitCode: 0, wallMs: 1 },
  });
});

function vitest(status: string): string {
  return JSON.stringify({
    numTotalTests: 1,
    testResults: [{ name: '/w/a.test.ts', assertionResults: [{ fullName: 'a', status }] }],
  });
}
function playwright(status: string): string {
  return JSON.stringify({
    stats: { startTime: '2026-01-01T00:00:00Z' },
    suites: [
      {
        title: 'a',
        specs: [{ title: 'x', ok: status === 'expected', tests: [{ status, results: [] }] }],
      },
    ],
  });
}
function pytest(outcome: string): string {
  return JSON.stringify({
    created: 1,
    exitcode: 0,
    summary: {},
    tests: [{ nodeid: 'a.py::x', outcome }],
  });
}
function go(action: string): string {
  return ['run', action]
    .map((Action) => JSON.stringify({ Action, Package: 'p', Test: 'TestX' }))
    .join('\n');
}
