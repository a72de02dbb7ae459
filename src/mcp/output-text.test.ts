import { expect, test } from 'vitest';
import { outputText } from './output-text.ts';

const text = (said: string) => ({ type: 'text', text: said });

test('texts are given as the agent reads them, one for each line', () => {
  const content = [text('first\n"quoted"'), text('second')];
  expect(outputText({ content })).toBe('first\n"quoted"\nsecond');
});

test('nothing of a result is left out, whatever its shape', () => {
  const held = [
    { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'needle' } }] },
    { content: [{ ...text('a'), annotations: { note: 'needle' } }] },
    { content: [{ type: 'needle', text: 'a' }] },
    { content: [{ type: 'text', text: { inner: 'needle' } }] },
    { content: ['needle', null, ['needle']] },
    { content: 'needle' },
    { content: { needle: 1 } },
    { structuredContent: { password: 'needle' } },
    { content: [], isError: true, _meta: { 'x/y': 'needle' } },
    { needle: 1 },
    { contents: [{ uri: 'a', text: 'needle' }] },
  ];
  for (const result of held) expect(outputText(result as never)).toContain('needle');
});
