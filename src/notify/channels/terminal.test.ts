import { expect, test } from 'vitest';
import { channelContract, effectOf, NOTICE, portsOf } from '../channel-contract.test-support.ts';
import { terminal } from './terminal.ts';

channelContract('terminal', async () => {
  let told = '';
  const write = (text: string) => {
    told += text;
  };
  return { channel: terminal, setting: true, off: false, ports: { write }, received: () => told };
});

test('a notice is a line with its severity, and its text below', async () => {
  let told = '';
  const { ports } = portsOf({
    write: (text) => {
      told += text;
    },
  });
  const [destination] = terminal.open(true, ports);
  const payload = { ...NOTICE, title: 'two', severity: 'low', text: 'one\u001b[31m\ntwo' } as const;
  await destination!.send(effectOf(payload), new AbortController().signal);
  expect(told).toBe('[low] two\n    one [31m\n    two\n');
});
