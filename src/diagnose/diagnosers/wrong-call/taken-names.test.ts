import { expect, test } from 'vitest';
import { settingsOf } from '../../failures.test-support.ts';
import { nameGroups } from './name-groups.ts';
import { takenNames } from './taken-names.ts';

test('the tools beside a tool are no arguments of it', () => {
  const text = 'tools:\n  web_search: { inputs: [q] }\n  fetch: { inputs: [url] }\n';
  const groups = nameGroups(settingsOf('agents/researcher.yaml', text));
  const taken = takenNames('web_search', { groups, calls: [] });
  expect(taken.filter(({ names }) => names.has('web_search') || names.has('fetch'))).toEqual([]);
});
