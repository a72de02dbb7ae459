import { expect, test } from 'vitest';
import { composeSections } from '../config/index.ts';
import { channelsOf } from './channels.ts';
import { notifySection } from './config-section.ts';
import { noticeEffects } from './index.ts';

const NOTICE = { key: 'k', severity: 'high', title: 't', text: 'x', step: 'approve' } as const;

function told(routes: readonly { to: string; channels: string[] }[], to: string): string[] {
  const { notify } = composeSections([notifySection]).parse({
    notify: {
      slack: [
        { name: 'ops', urlEnv: 'OPS' },
        { name: 'team', urlEnv: 'TEAM' },
      ],
      routes,
    },
  });
  return noticeEffects({ ...NOTICE, to }, channelsOf(notify)).map(({ destination }) => destination);
}

test('without a route everybody gets everything', () => {
  expect(told([], 'approver')).toEqual(['terminal', 'slack:ops', 'slack:team']);
});

test('APP-5 what is routed goes there and nowhere else, once', () => {
  const routes = [
    { to: 'operator', channels: ['slack:ops', 'terminal'] },
    { to: 'approver', channels: ['slack:team'] },
  ];
  expect(told(routes, 'operator')).toEqual(['terminal', 'slack:ops']);
  expect(told(routes, 'approver')).toEqual(['slack:team']);
  expect(told(routes, 'ann@example.org')).toEqual(['terminal', 'slack:ops', 'slack:team']);
});

test('a route to a channel that is not there is none: nobody is left untold', () => {
  expect(told([{ to: 'operator', channels: ['slack:gone'] }], 'operator')).toHaveLength(3);
});
