import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './attribution.ts';
import { conversationSteps } from './parts/conversation.ts';

test('a conversation is read as acts, results and hand-overs', () => {
  const code = 'I count them.\n```sh\nwc -l rows\n```';
  const written = conversationSteps([
    { agent: 'Counter', content: code },
    { agent: 'Shell', content: 'exitcode: 1 (failed)' },
    { agent: 'Checker', content: 'It failed.' },
  ]);
  expect(written.map(({ act, failed, isResult }) => [act, failed, isResult])).toEqual([
    ['I count them.', true, undefined],
    [undefined, undefined, true],
    [undefined, false, undefined],
  ]);
  const led = conversationSteps([
    { agent: 'person', content: 'How many rows?' },
    { agent: 'Lead (thought)', content: 'A plan.' },
    { agent: 'Lead (-> Surfer)', content: 'Look it up.' },
    { agent: 'Surfer', content: 'I opened the page. It has rows.' },
  ]);
  expect(led.map(({ who, act }) => [who, act])).toEqual([
    ['person', undefined],
    ['Lead', undefined],
    ['Lead', undefined],
    ['Surfer', 'I opened the page.'],
  ]);
});

test('agent and step are counted apart, beside constants', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-attribution-'));
  const history = [
    { agent: 'Planner', content: 'We need the price.' },
    { agent: 'Expert', content: 'It was sold for 950,000.' },
    { agent: 'Planner', content: 'So the answer is 950000.' },
  ];
  const save = (name: string, label: object) =>
    writeFileSync(join(folder, name), JSON.stringify({ question: 'How much?', history, label }));
  save('a.json', { agent: 'Expert', step: 1 });
  save('b.json', { agent: 'Expert', step: 2 });
  const total = new Map<string, number>();
  for await (const { set, metric, value } of measurement.run(
    makeContext({ data: folder, quiet: true }),
  ))
    if (set === 'total') total.set(metric, value);
  rmSync(folder, { recursive: true });
  expect(total.get('agent_accuracy')).toBe(1);
  expect(total.get('step_accuracy')).toBe(0.5);
  expect(total.get('first_step_agent_accuracy')).toBe(0);
});
