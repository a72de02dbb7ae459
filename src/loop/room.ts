/** What this room contributes (`loop/manifests.ts`). */
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'loop',
  schedules: [
    {
      name: 'selfEvaluation',
      comment: 'Look for failures and propose changes.',
      cron: '0 2 * * *',
      timeout: '10m',
      notify: [
        { on: 'error', to: 'operator' },
        { on: 'proposal_created', to: 'approver' },
      ],
    },
    {
      name: 'enhancementScan',
      comment: 'Look back a week for what makes the agents unstable.',
      cron: '0 6 * * 0',
      timeout: '15m',
      notify: [
        { on: 'error', to: 'operator' },
        { on: 'proposal_created', to: 'approver' },
      ],
    },
  ],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
