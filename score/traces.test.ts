import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './traces.ts';

test('a hit is the right span with the right category', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-traces-'));
  const span = (id: string, kind: string, more: object = {}, below: object[] = []) => ({
    span_id: id,
    span_name: id,
    span_attributes: { 'openinference.span.kind': kind, ...more },
    child_spans: below,
  });
  const model = span('m1', 'LLM', { 'llm.output_messages.0.message.content': 'It is 20.' });
  const answer = span('t1', 'TOOL', { 'tool.name': 'finish' });
  const agent = span('a', 'AGENT', { 'x.tools_names': '["lookup","finish"]' }, [
    span('s', 'CHAIN', {}, [model, answer]),
  ]);
  writeFileSync(join(folder, 'one.json'), JSON.stringify({ spans: [agent] }));
  const errors = [
    { location: 'm1', category: 'Goal Deviation' },
    { location: 'm1', category: 'Goal Deviation' },
    { location: 'elsewhere', category: 'Tool-related' },
  ];
  writeFileSync(join(folder, 'one.labels.json'), JSON.stringify({ errors }));
  const total = new Map<string, number>();
  for await (const { set, metric, value } of measurement.run(
    makeContext({ data: folder, quiet: true }),
  ))
    if (set === 'total') total.set(metric, value);
  rmSync(folder, { recursive: true });
  expect(total.get('joint_recall')).toBe(0.5);
  expect(total.get('joint_precision')).toBe(0.5);
  expect(total.get('joint_f1')).toBe(0.5);
});
