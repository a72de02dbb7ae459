import { expect, test } from 'vitest';
import { notifySection } from './config-section.ts';
import { channelsOf, noticeEffects } from './index.ts';

const NOTICE = {
  key: 'approve/p_1',
  to: 'approver',
  severity: 'high',
  title: 'Decision needed',
  text: 'Look: hone proposals show p_1',
  step: 'approve',
} as const;

const webhook = (name: string) => ({ name, url: 'https://example.org', secretEnv: 'S' });

test('one effect for each destination that is configured, its key the notice’s', () => {
  const settings = notifySection.schema.parse({ webhooks: [webhook('team'), webhook('night')] });
  const effects = noticeEffects(NOTICE, channelsOf(settings));
  expect(effects.map(({ key, destination, step }) => [key, destination, step])).toEqual([
    ['notice/terminal/approve/p_1', 'terminal', 'approve'],
    ['notice/webhook:team/approve/p_1', 'webhook:team', 'approve'],
    ['notice/webhook:night/approve/p_1', 'webhook:night', 'approve'],
  ]);
  const nowhere = channelsOf(notifySection.schema.parse({ terminal: false }));
  expect(noticeEffects(NOTICE, nowhere)).toEqual([]);
});
