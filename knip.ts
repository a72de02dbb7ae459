import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    // A room's index is its face, also for rooms that are not built yet.
    'src/*/index.ts',
    'src/text/*/index.ts',
    'src/facts/schemas.ts',
    '{bench,score,chaos}/*.ts',
    'lab/{run,write-schema,weigh-clues}.ts',
    'lab/**/*worker*.ts',
    // Started as processes.
    'lab/servers/*.ts',
    '{bench,chaos}/parts/*worker*.ts',
    'tools/*.ts',
    'dashboard/src/main.tsx',
    'dashboard/vite.config.ts',
    '{src,test,bench,score,chaos,lab,tools}/**/*.test.ts',
  ],
  project: ['{src,test,tools,bench,score,chaos,lab}/**/*.ts', 'dashboard/**/*.{ts,tsx}'],
  ignoreBinaries: ['strace', 'ssh-keygen', 'apt-get', 'bwrap'],
  // Called by tools/check.ts by its name; of the grammar only the wasm is read.
  ignoreDependencies: ['@biomejs/biome', 'tree-sitter-bash'],
};

export default config;
