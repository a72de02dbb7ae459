import { describe, expect, test } from 'vitest';
import { type RunStep, stepFaults } from './step-faults.ts';

const TOOLS = ['lookup', 'finish'];
const step = (id: string, said: string, ...tools: string[]): RunStep => ({
  id,
  said,
  calls: tools.map((tool) => ({ tool, work: id })),
});
const faultsOf = (...steps: RunStep[]) =>
  stepFaults({ tools: TOOLS, steps }).map(({ id, kind }) => `${id} ${kind}`);

describe('faults of single steps', () => {
  test('a step that speaks of a tool and calls none', () => {
    const found = faultsOf(
      step('1', 'I ask lookup for the price.'),
      step('2', 'I call it.', 'lookup'),
      step('3', 'Done, with lookup.', 'finish'),
    );
    expect(found).toEqual(['1 unmade_call']);
  });

  test('a name within another word is not that tool', () => {
    expect(faultsOf(step('1', 'The lookups are slow.'), step('2', '', 'lookup', 'finish'))).toEqual(
      [],
    );
  });

  test('an answer before anything was called: who claims it first, and who gives it', () => {
    const found = faultsOf(
      step('1', 'The price is 20, so I set finish = 20.'),
      step('2', 'I give it.', 'finish'),
    );
    expect(found).toEqual(['1 unfounded_claim', '2 unfounded_answer']);
  });

  test('an answer after a call has its ground, and an agent without tools needs none', () => {
    expect(faultsOf(step('1', '', 'lookup'), step('2', '', 'finish'))).toEqual([]);
    expect(stepFaults({ tools: ['finish'], steps: [step('1', '', 'finish')] })).toEqual([]);
  });

  test('the third equal call is told once', () => {
    const again = ['1', '2', '3', '4'].map((id) => ({
      ...step(id, ''),
      calls: [{ tool: 'lookup', work: 'same' }],
    }));
    expect(faultsOf(...again)).toEqual(['3 repeated_call']);
  });

  test('errors that name their kind; others are left alone', () => {
    const failing = (error: string) => faultsOf({ ...step('1', '', 'lookup'), error });
    expect(failing('429 too many requests')).toEqual(['1 rate_limit']);
    expect(failing('IndentationError: unexpected indent')).toEqual(['1 malformed']);
    expect(failing('no such order')).toEqual([]);
  });
});
