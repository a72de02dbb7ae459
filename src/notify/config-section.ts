import { z } from 'zod';
import { field, section } from '../config/index.ts';
import { CHANNELS } from './channels.ts';

type Settings = { readonly [K in keyof typeof CHANNELS]: (typeof CHANNELS)[K]['setting'] };

const settings = Object.fromEntries(
  Object.entries(CHANNELS).map(([key, { setting }]) => [key, setting]),
) as unknown as Settings;

const routes = z
  .array(
    z.strictObject({
      to: z.string().min(1).max(200),
      channels: z
        .array(z.string().regex(/^[a-z][a-z0-9-]*(:[a-z0-9][a-z0-9-]*)?$/))
        .min(1)
        .max(50),
    }),
  )
  .max(100);

export const notifySection = section('notify', 'Who is told, and where.', {
  ...settings,
  routes: field(routes, [], {
    weakens: 'any',
    comment: 'What is for somebody (to: approver, …) goes only there (slack:ops).',
  }),
});
