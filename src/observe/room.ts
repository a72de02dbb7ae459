/** What this room contributes (`loop/manifests.ts`). */
import { SHIPPED_MODES } from '../facts/index.ts';
import { observeSection } from './config-section.ts';

export const room = {
  name: 'observe',
  sections: [observeSection],
  gates: [
    {
      name: 'telemetry',
      comment: 'Whether a cycle may act when many lines of telemetry could not be read.',
      mode: SHIPPED_MODES.telemetry,
    },
  ],
  schedules: [
    {
      name: 'telemetry',
      comment: 'Collect and sanitise telemetry.',
      cron: '0 1 * * *',
      timeout: '5m',
      notify: [{ on: 'error', to: 'operator' }],
    },
    {
      name: 'retention',
      comment: 'Delete telemetry that is older than observe.retention keeps it.',
      cron: '30 3 * * *',
      timeout: '30m',
      notify: [{ on: 'error', to: 'operator' }],
    },
  ],
} as const;
