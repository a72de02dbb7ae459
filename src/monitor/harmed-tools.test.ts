/** Where harm is, by tool and by agent. */
import { expect, test } from 'vitest';
import { type CallsByTool, whereIsHarm } from './harmed-tools.ts';

const MINUTE_MS = 60_000;
const STARTED = { agent: 'planner', startedAtMs: 0 };
const LOOK = { window: { fromMs: 0, toMs: 60 * MINUTE_MS }, allowed: 0.25 };

const before = (agent: string, tool: string, bad: number, all: number) => ({
  agent,
  tool,
  hours: Array.from({ length: 24 }, () => ({ bad, all })),
});
const since = (agent: string, tool: string, bad: number, all: number) => ({
  agent,
  tool,
  bins: Array.from({ length: 60 }, (_, at) => ({ atMs: at * MINUTE_MS, bad, all })),
});
const where = (calls: Omit<CallsByTool, 'changed'>) =>
  whereIsHarm({ changed: 'search', ...calls }, { ...STARTED, ...LOOK });

test('another agent that calls a tool by a wrong name since then is somebody else’s trouble', () => {
  const known = [before('planner', 'search', 1, 60), before('clerk', 'post', 0, 60)];
  const planner = since('planner', 'search', 0, 1);
  const misspelled = since('clerk', 'posts', 1, 1);
  expect(where({ before: known, since: [planner, misspelled] })).toBe('elsewhere');
  // The wrong name was there for some of the hours before, and failed then as well.
  const at = [...known, before('clerk', 'posts', 2, 2)];
  expect(where({ before: at, since: [planner, misspelled] })).toBe('elsewhere');
});

test('calls that come late are seen, though nothing else is new since it was asked', () => {
  const known = [before('planner', 'search', 1, 60), before('clerk', 'post', 0, 60)];
  const clerk = since('clerk', 'posts', 1, 1);
  expect(where({ before: known, since: [since('planner', 'search', 0, 1), clerk] })).toBe(
    'elsewhere',
  );
  expect(where({ before: known, since: [since('planner', 'search', 1, 1), clerk] })).toBe(
    'unclear',
  );
});

test('harm to the changed agent, or to others at the tool of the change, is not', () => {
  const known = [before('planner', 'search', 1, 60), before('clerk', 'search', 0, 60)];
  const clerkHurt = [since('planner', 'search', 0, 1), since('clerk', 'search', 1, 1)];
  expect(where({ before: known, since: clerkHurt })).not.toBe('elsewhere');
  const plannerHurt = [since('planner', 'fetch', 1, 1), since('clerk', 'search', 0, 1)];
  expect(where({ before: known, since: plannerHurt })).not.toBe('elsewhere');
});

test('of harm to both, neither is singled out', () => {
  const known = [before('planner', 'search', 1, 60), before('clerk', 'post', 0, 60)];
  const both = [since('planner', 'search', 1, 1), since('clerk', 'posts', 1, 1)];
  expect(where({ before: known, since: both })).toBe('unclear');
});

test('of others that share what is ill, each alone may have too few calls to show it', () => {
  const some = (agent: string, tool: string, failed: number) => ({
    ...since(agent, tool, 0, 1),
    bins: since(agent, tool, 0, 1).bins.map((bin, at) => ({ ...bin, bad: at < failed ? 1 : 0 })),
  });
  const known = [
    before('planner', 'search', 6, 60),
    ...['clerk', 'porter', 'guard'].map((name) => before(name, `${name}-desk`, 6, 60)),
  ];
  const theirs = ['clerk', 'porter', 'guard'].map((name) => some(name, `${name}-desk`, 11));
  expect(where({ before: known, since: [some('planner', 'search', 6), ...theirs] })).toBe(
    'elsewhere',
  );
  // A changed agent that is as ill as they are has its part of the harm.
  const ill = [some('planner', 'search', 14), ...theirs];
  expect(where({ before: known, since: ill })).not.toBe('elsewhere');
});

test('more calls of what fails anyway are at no place harm; more failures than usual at one of them are', () => {
  const known = [before('planner', 'search', 1, 60), before('clerk', 'post', 5, 10)];
  const planner = since('planner', 'search', 0, 1);
  const clerk = since('clerk', 'post', 1, 2);
  expect(where({ before: known, since: [planner, clerk] })).toBe('nowhere');
  expect(where({ before: known, since: [planner, since('clerk', 'post', 2, 2)] })).toBe(
    'elsewhere',
  );
  // Of a place that was not known before, as much is expected as of all calls.
  const unknown = since('clerk', 'posts', 1, 2);
  expect(where({ before: known, since: [planner, unknown] })).not.toBe('nowhere');
  expect(where({ before: known, since: [] })).toBe('unclear');
});
