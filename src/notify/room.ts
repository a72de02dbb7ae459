/** What this room contributes (`loop/manifests.ts`). */
import { notifySection } from './config-section.ts';

export const room = {
  name: 'notify',
  sections: [notifySection],
  schedules: [
    {
      name: 'criticalNotices',
      comment: 'Repeat critical notices that nobody has answered.',
      cron: '*/5 * * * *',
      timeout: '2m',
      notify: [{ on: 'error', to: 'operator' }],
    },
    {
      name: 'highNotices',
      comment: 'Send news of high severity, in one batch.',
      cron: '0 * * * *',
      timeout: '5m',
      notify: [{ on: 'error', to: 'operator' }],
    },
    {
      name: 'digest',
      comment: 'Send all other news, in one batch a day.',
      cron: '0 9 * * *',
      timeout: '5m',
      notify: [{ on: 'error', to: 'operator' }],
    },
  ],
} as const;
