import { expect, test } from 'vitest';
import { toolsOfProvider } from './of-provider.ts';

const served = (provider: string, ...tools: string[]) => tools.map((tool) => ({ tool, provider }));

test('tools of one provider share its places; others do not', () => {
  const all = [...served('maps', 'tiles', 'routes'), ...served('mail', 'send', 'read', 'sort')];
  expect(toolsOfProvider('tiles', all)).toEqual(['routes']);
  expect(toolsOfProvider('send', all)).toEqual([]);
  expect(toolsOfProvider('unheard', all)).toEqual([]);
});

test('a provider of most tools, as the one of the models, says nothing of two', () => {
  expect(toolsOfProvider('a', served('models', 'a', 'b', 'c', 'd'))).toEqual([]);
  expect(toolsOfProvider('a', served('one', 'a', 'b'))).toEqual([]);
});
