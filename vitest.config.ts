import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', './tools/closing-line.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    projects: [
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['{src,tools,bench,score,chaos,lab}/**/*.test.ts', 'test/*.test.ts'],
          globalSetup: ['./test/global-setup.ts'],
        },
      },
    ],
  },
});
