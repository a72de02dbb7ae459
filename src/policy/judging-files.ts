/**
 * The files that judge changes (rule 10). Here, because vetting and validation must mean the same.
 */

/** Hone's own files. */
export const HONE_PATHS: readonly string[] = ['hone.yaml', '.hone/**', 'policies/**'];

/** What runs by itself when somebody commits or pushes. */
export const CI_PATHS: readonly string[] = [
  '.github/workflows/**',
  '.github/actions/**',
  '.gitlab-ci.yml',
  '.gitlab/ci/**',
  '.circleci/**',
  '.buildkite/**',
  '.drone.y*ml',
  '.travis.yml',
  '.woodpecker/**',
  '.woodpecker.y*ml',
  'azure-pipelines.y*ml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  '.pre-commit-config.yaml',
  '.husky/**',
  '.githooks/**',
  'lefthook.y*ml',
  '.git*',
];

/** What tells whether a change is good. */
const TEST_PATHS: readonly string[] = [
  'test/**',
  'tests/**',
  '__tests__/**',
  'spec/**',
  'specs/**',
  'e2e/**',
  'eval/**',
  'evals/**',
  'evaluator/**',
  'evaluators/**',
  'evaluation/**',
  'evaluations/**',
  'replay/**',
  '*.test.*',
  '*.spec.*',
  '*.eval.*',
  'test_*.py',
  '*_test.*',
  'conftest.py',
  'pytest.ini',
  'jest.config.*',
  'vitest.config.*',
  'playwright.config.*',
  'promptfooconfig.*',
];

/** The files that judge changes (rule 10): gates, policies, tests, evaluators. */
export const JUDGING_PATHS: readonly string[] = [...HONE_PATHS, ...CI_PATHS, ...TEST_PATHS];
