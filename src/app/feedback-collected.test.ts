import { expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import { withLoop } from './context.ts';
import { submitFeedback } from './feedback.ts';

test('VET-1 feedback is acknowledged once it is durable, and becomes telemetry that diagnosis reads, each once', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const surroundings = { environment: here.environment, cwd: here.repository };
  const context = makeContext(false, '0.0.0', { ...processSurroundings(), ...surroundings });
  const say = async (text: string) =>
    expect(await submitFeedback(context, { text })).toMatchObject({ id: expect.any(String) });
  const lines = async () => {
    await withLoop(context, {}, (_, { loop }) => loop.collect(new AbortController().signal));
    const list = await here.hone('events', 'list', '--kind', 'log_line', '--json');
    return (list.out.match(/the index of/g) ?? []).length;
  };
  for (const day of ['Monday', 'Tuesday', 'Friday'])
    await say(`On ${day} the index of docs was old.`);
  expect(await lines()).toBe(3);
  expect(await lines()).toBe(3);
  // What came at the same moment as the last is read too, and nothing twice.
  await say('On Sunday the index of docs was old, and token=abcdefghij0123456789 was shown.');
  expect(await lines()).toBe(4);
});
