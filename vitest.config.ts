import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that look into their own process, its memory or all of its code: nothing else may have run there yet. */
const IN_A_NEW_PROCESS = ['src/observe/files/bad-input.test.ts', 'src/text/tokens-work.test.ts'];

/**
 * The slow files, the slowest first, as the end of a whole run shows them; all others take a few seconds. A
 * slow file that begins last keeps one core waiting, and a clean checkout has no times of an earlier run.
 */
const SLOW_FILES = [
  'lab/killed-harm.test.ts',
  'lab/killed-fix.test.ts',
  'lab/demo.test.ts',
  'lab/story.test.ts',
  'test/dashboard/dashboard.test.ts',
  'test/dashboard/story.test.ts',
  'src/deploy/forges/remote/remote.test.ts',
  'src/loop/github.test.ts',
  'src/deploy/forges/github/github.test.ts',
  'src/cli/first-day.test.ts',
  'test/unread-keys.test.ts',
  'src/config/hostile-config.test.ts',
  'src/backup/killed-restore.test.ts',
  'chaos/outbox.test.ts',
  'chaos/ingest.test.ts',
  'chaos/loop.test.ts',
  'src/cli/up.test.ts',
  'src/git/hostile-repository.test.ts',
  'src/loop/several-changes.test.ts',
  'src/outbox/outbox-model.test.ts',
  'src/proposal/rebuild.test.ts',
  'tools/closing-line.test.ts',
  'chaos/kill.test.ts',
];

const FIRST = [...IN_A_NEW_PROCESS, ...SLOW_FILES];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const gone = FIRST.filter((file) => !existsSync(join(root, file)));
    if (gone.length > 0) throw new Error(`vitest.config.ts names files that are gone: ${gone}`);
    const place = ({ moduleId }: TestSpecification) => {
      const at = FIRST.indexOf(relative(root, moduleId));
      return at < 0 ? FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    reporters: ['default', './tools/closing-line.ts'],
    // No test takes 20 s on a quiet machine; the reporter marks those that do. This is for what hangs.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Left to itself, vitest keeps one of two cores idle: 9 minutes in place of 5.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: [
            '{src,tools,bench,score,chaos,lab}/**/*.test.ts',
            'test/{,attacks/,dashboard/}*.test.ts',
          ],
          globalSetup: ['./test/global-setup.ts'],
          setupFiles: ['./test/seed.ts'],
          // A file that loads all of Hone takes a second of its own to do so; a worker loads it once.
          isolate: false,
        },
      },
    ],
  },
});
