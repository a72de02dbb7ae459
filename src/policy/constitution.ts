/**
 * The constitution as data: eleven rules that no configuration switches off, each with the rooms that
 * enforce it. Verdicts cite rules by number. Rules 6 and 10 speak of files; what they mean by one is
 * here too, because vetting and validation must mean the same.
 */
import { canonicalForm } from '../text/index.ts';

export interface Rule {
  readonly number: number;
  readonly title: string;
  readonly says: string;
  /** Rooms, in the order a change meets them. */
  readonly enforcedBy: readonly string[];
}

export interface Constitution {
  /** Grows with every change to a rule; reports name it. */
  readonly version: number;
  readonly rules: readonly Rule[];
}

export const CONSTITUTION: Constitution = {
  version: 1,
  rules: [
    {
      number: 1,
      title: 'A person agrees',
      says: 'Protected subjects change only with the approval of a person.',
      enforcedBy: ['proposal', 'approve'],
    },
    {
      number: 2,
      title: 'Not your own',
      says: 'Nobody approves their own proposal, and an agent approves none.',
      enforcedBy: ['proposal', 'approve'],
    },
    {
      number: 3,
      title: 'Recorded first',
      says: 'What happens is in the ledger in the same commit, before it takes effect.',
      enforcedBy: ['ledger', 'store', 'proposal'],
    },
    {
      number: 4,
      title: 'Reversible',
      says: 'A change says how it is undone, and undoing it was tried before it is made.',
      enforcedBy: ['vet', 'deploy'],
    },
    {
      number: 5,
      title: 'Claims need evidence',
      says: 'A claim leads back to events that exist and to a failure that recurs.',
      enforcedBy: ['vet'],
    },
    {
      number: 6,
      title: 'Declared scope',
      says: 'A change touches the files it declares, stays small and leaves forbidden paths alone.',
      enforcedBy: ['vet', 'validate'],
    },
    {
      number: 7,
      title: 'Rate limits',
      says: 'Only so many cycles, open proposals and changes in a time.',
      enforcedBy: ['loop', 'vet', 'deploy'],
    },
    {
      number: 8,
      title: 'No added privilege',
      says: 'A change gives no agent a tool, permission, host or endpoint that it did not have.',
      enforcedBy: ['validate'],
    },
    {
      number: 9,
      title: 'Kill switch',
      says: 'Anybody can stop every automatic step; only a person starts them again.',
      enforcedBy: ['policy', 'proposal', 'loop'],
    },
    {
      number: 10,
      title: 'No judge of its own',
      says: 'No change edits the gates, policies, tests or evaluators that judge it.',
      enforcedBy: ['vet', 'validate'],
    },
    {
      number: 11,
      title: 'Secrets stay',
      says: 'Secrets and personal data never leave: not in a diff, a text, a report or a message.',
      enforcedBy: ['observe', 'vet'],
    },
  ],
};

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
export const TEST_PATHS: readonly string[] = [
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

/**
 * The first pattern that a path matches; undefined when it matches none. `*` stands for anything within
 * a component, `**` for any components; a pattern matches in every folder, and from the root only when
 * it begins with `/`. The path is attacker-controlled and compared as the laxest file system would open
 * it: without case, hidden characters, look-alikes, trailing dots and spaces or NTFS streams.
 */
export function matchingPath(path: string, patterns: readonly string[]): string | undefined {
  const components = canonicalForm(path.toLowerCase()).split('/').map(openedName);
  return patterns.find((pattern) => {
    const parts = pattern.toLowerCase().split('/');
    const anchored = parts[0] === '';
    return matches(anchored ? parts.slice(1) : ['**', ...parts], components);
  });
}

function openedName(component: string): string {
  return component.split(':', 1)[0]!.replace(/[. ]+$/, '');
}

/** Both sides from the left, going back only to the last `**`, so that the time is their product at most. */
function matches(parts: readonly string[], components: readonly string[]): boolean {
  let [part, component] = [0, 0];
  let star: { readonly part: number; component: number } | undefined;
  while (component < components.length) {
    if (parts[part] === '**') {
      star = { part, component };
      part++;
    } else if (part < parts.length && matchesName(parts[part]!, components[component]!)) {
      part++;
      component++;
    } else if (star !== undefined) {
      star.component++;
      part = star.part + 1;
      component = star.component;
    } else return false;
  }
  // `policies/**` is what is inside the folder, and the folder's name as a file or link.
  while (parts[part] === '**') part++;
  return part === parts.length;
}

function matchesName(pattern: string, name: string): boolean {
  const [first, ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first!)) return false;
  const last = rest.pop()!;
  let at = first!.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
